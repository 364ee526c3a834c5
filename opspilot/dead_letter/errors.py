"""What an admin is told when nothing can be tried again as asked."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import InvalidInputError, RefusedError


class NothingMarkedError(InvalidInputError):
    code = "nada_marcado"
    what = _("Nada foi marcado. Nada foi alterado.")
    next_step = _("Marque o que deve ser tentado de novo e envie outra vez.")


class ReasonTooShortError(InvalidInputError):
    code = "motivo_curto"
    what = _("O motivo precisa de pelo menos 10 caracteres. Nada foi alterado.")
    next_step = _("Diga o que mudou desde que parou, por exemplo o que foi consertado.")


class NotStoppedError(RefusedError):
    code = "nao_esta_parado"
    title = _("Isto não está mais parado")
    what = _("Já voltou à fila, terminou de outro modo ou não é desta empresa.")
    next_step = _("Abra a lista de novo: ela mostra o que está parado agora.")
