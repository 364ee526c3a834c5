"""What can go wrong with the months of the trail, each with its next step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError
from django.utils.translation import gettext_lazy as _

from opspilot.errors import InvalidInputError, OpsPilotError, RefusedError

_NO_PARTITION = "no partition of relation"


class TrailClosedError(OpsPilotError):
    """The trail has no month for now: nothing can be recorded, so nothing may be done."""

    code = "trilha_fechada"
    http_status = 503
    title = _("A trilha não tem onde escrever")
    what = _("Falta o mês de agora na trilha. O que não pode ser registrado não é feito.")
    next_step = _(
        "Peça a quem opera o console que crie os meses (partitions create) e repita o pedido."
    )


class ArchiveError(Exception):
    """An archive could not be written or is not what it should be: the sentence is for operators."""


class RetentionError(InvalidInputError):
    """Months or basis outside what a rule of retention may say."""

    code = "retencao_invalida"
    title = _("A regra não pode ser aceita")
    what = _("Um campo da regra está fora do limite. Nada foi gravado.")


class OtherAdminActivatesError(RefusedError):
    code = "outro_admin_ativa"
    http_status = 403
    title = _("Outro admin ativa")
    what = _("Você escreveu esta regra; outro admin a põe em vigor. Nada mudou.")
    next_step = _("Envie o endereço desta página a outro admin.")


class RetentionClosedError(RefusedError):
    code = "regra_nao_espera"
    title = _("Esta regra não espera mais")
    what = _("Ela já foi ativada, retirada ou recusada, ou há uma mais nova. Nada mudou.")
    next_step = _("Abra a página para ver a regra de agora.")


class RetentionReasonError(InvalidInputError):
    """Whoever ends a rule that waits tells its other side why."""

    code = "regra_sem_motivo"
    title = _("Falta o motivo")
    what = _("Escreva o motivo com pelo menos 10 caracteres. Nada foi gravado.")
    next_step = _("Diga por que a regra não vai valer: quem a escreveu, ou a leria, vê isto.")


class HoldReasonError(InvalidInputError):
    """The reason of a hold, or of its end, is too short to tell anybody why."""

    code = "guarda_sem_motivo"
    title = _("Falta o motivo da guarda legal")
    what = _("Escreva o motivo com pelo menos 10 caracteres. Nada foi gravado.")
    next_step = _("Diga por que os registros ficam, ou por que não precisam mais ficar.")


class HoldLiftedError(RefusedError):
    code = "guarda_ja_encerrada"
    title = _("Esta guarda legal já foi encerrada")
    what = _("Outra pessoa encerrou esta guarda legal antes. Nada mudou.")
    next_step = _("Abra a página para ver as guardas legais de agora.")


@contextmanager
def trail_open() -> Iterator[None]:
    """Around a statement that writes to the trail: a month that is missing becomes its own error."""
    try:
        yield
    except IntegrityError as exc:
        if _NO_PARTITION in str(exc) and "agente_acao" in str(exc):
            raise TrailClosedError from exc
        raise
