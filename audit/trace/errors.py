"""What a person is told when their trace cannot be asked for or taken along."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import InvalidInputError, NotFoundError, RefusedError


class ReasonTooShortError(InvalidInputError):
    code = "motivo_curto"
    what = _("O motivo precisa de pelo menos 10 caracteres. Nada foi pedido.")
    next_step = _("Diga para que o rastro vai servir, por exemplo o número do pedido do titular.")


class UnknownTraceError(NotFoundError):
    """Somebody else's is as unknown as one that never was."""

    title = _("Este rastro não existe")
    what = _("O endereço não corresponde a nenhum rastro pedido por você nesta empresa.")
    next_step = _("Peça o rastro na página do cliente.")


class NotReadyError(RefusedError):
    code = "rastro_nao_pronto"
    title = _("O arquivo ainda não está pronto")
    what = _("O rastro ainda está sendo montado, ou não pôde ser montado.")
    next_step = _("Abra a página do rastro: ela diz em que pé ele está.")


class GoneError(RefusedError):
    code = "rastro_vencido"
    http_status = 410
    title = _("O arquivo não está mais guardado")
    what = _(
        "Um rastro fica 24 horas, e só enquanto a identidade não é apagada; este não sai mais."
    )
    next_step = _("Peça outro na página do cliente.")


class NothingToRetryError(RefusedError):
    code = "nada_a_repetir"
    title = _("Não há o que tentar de novo")
    what = _("Só um rastro que falhou pode ser montado de novo.")
    next_step = _("Abra a página do rastro: ela diz em que pé ele está.")
