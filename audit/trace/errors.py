"""What a person is told when their trace cannot be asked for or taken along."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import InvalidInputError, NotFoundError, RefusedError


class ReasonTooShortError(InvalidInputError):
    code = "motivo_curto"
    what = _("O motivo precisa de pelo menos 10 caracteres. Nada foi pedido.")
    next_step = _("Diga para que o rastro vai servir, por exemplo o número do pedido do titular.")


class NoFolderError(RefusedError):
    """The installation has no place for files that people take along."""

    code = "exportacao_sem_pasta"
    title = _("Este console ainda não exporta")
    what = _("Nenhuma pasta de exportação está configurada nesta instalação.")
    next_step = _("Peça a quem cuida da instalação que configure OPSPILOT_EXPORT_DIR.")


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


class SealsTooSlowError(RefusedError):
    """The hours that hold a run's rows have too many rows to be read in one request."""

    code = "selos_lentos"
    http_status = 503
    title = _("A leitura dos selos passou de 20 segundos e foi parada")
    what = _("As horas desta rodada têm linhas demais para uma página. Nada se perdeu.")
    next_step = _("Peça a quem cuida da instalação que escreva a prova com prove_effect.")


class NothingToRetryError(RefusedError):
    code = "nada_a_repetir"
    title = _("Não há o que tentar de novo")
    what = _("Só um rastro que falhou pode ser montado de novo.")
    next_step = _("Abra a página do rastro: ela diz em que pé ele está.")
