"""What a person is told when a proof cannot be gathered."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import RefusedError


class SealsTooSlowError(RefusedError):
    """The hours that hold a run's rows have too many rows to be read in one request."""

    code = "selos_lentos"
    http_status = 503
    title = _("A leitura dos selos passou de 20 segundos e foi parada")
    what = _("As horas desta rodada têm linhas demais para uma página. Nada se perdeu.")
    next_step = _("Peça a quem cuida da instalação que escreva a prova com prove_effect.")
