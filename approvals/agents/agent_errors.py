"""Refusals an agent meets on its way from a proposal to its effect."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import RefusedError


class RunConflictError(RefusedError):
    """The run already has a proposal, and it is not this one."""

    code = "rodada_com_outro_conteudo"
    title = _("Esta rodada já tem outra proposta")
    what = _("Esta rodada já preparou uma proposta com outro conteúdo. Nada foi gravado.")
    next_step = _("Leia a proposta que existe, ou use o id de uma rodada nova.")


class NothingToConsumeError(RefusedError):
    """The console's own worker carries this kind out."""

    code = "nada_a_consumir"
    title = _("Nada aqui é executado por um agente")
    what = _("Esta ação é executada pelo próprio console. Nada mudou.")
    next_step = _("Acompanhe o estado da proposta.")


class NotApprovedError(RefusedError):
    code = "nao_aprovada"
    title = _("Esta proposta não está aprovada")
    what = _("Só uma proposta aprovada pode ser executada. Nada foi consumido.")
    next_step = _("Espere pela decisão, ou leia por que ela foi negativa.")


class AlreadyConsumedError(RefusedError):
    """One approval, one effect. Who lost the answer reads the proposal, which says when."""

    code = "ja_consumida"
    title = _("Esta aprovação já foi consumida")
    what = _("Uma aprovação vale para uma execução, e esta já foi entregue ao agente.")
    next_step = _("Confira no destino o que foi feito e relate o efeito.")


class WithdrawnError(RefusedError):
    code = "execucao_retirada"
    title = _("A execução foi retirada")
    what = _("Quem aprovou retirou a execução antes de ela começar. Nada será executado.")
    next_step = _("Para pedir de novo, prepare outra proposta numa rodada nova.")


class HeldError(RefusedError):
    """Too early: whoever approved may still take it back."""

    code = "em_espera"
    title = _("A execução ainda está em espera")
    what = _("Quem aprovou ainda pode retirar a execução. Nada foi consumido.")
    next_step = _("Tente de novo depois do fim da espera.")


class TooLateError(RefusedError):
    code = "prazo_de_execucao_passou"
    title = _("O prazo para executar passou")
    what = _("A aprovação não foi consumida no prazo e não vale mais. Nada será executado.")
    next_step = _("Para pedir de novo, prepare outra proposta numa rodada nova.")


class PermissionGoneError(RefusedError):
    """The standing permission that approved this ended before the approval was consumed."""

    code = "permissao_encerrada"
    title = _("A permissão que aprovou isto terminou")
    what = _("A permissão permanente foi revogada ou venceu. Nada será executado.")
    next_step = _("Para pedir de novo, prepare outra proposta numa rodada nova.")


class ApproverGoneError(RefusedError):
    """Who approved it has left the company, or holds no role that decides it any more."""

    code = "aprovacao_ausente"
    title = _("A aprovação não vale mais")
    what = _("Quem aprovou isto não está mais na empresa ou perdeu o papel. Nada será executado.")
    next_step = _("Para pedir de novo, prepare outra proposta numa rodada nova.")


class NothingConsumedError(RefusedError):
    code = "nada_consumido"
    title = _("Esta aprovação não foi consumida")
    what = _("Só se relata o efeito de uma aprovação que foi consumida antes. Nada foi gravado.")
    next_step = _("Consuma a aprovação antes de executar a ação.")


class AlreadyReportedError(RefusedError):
    code = "efeito_ja_relatado"
    title = _("O efeito já foi relatado")
    what = _("O efeito de uma aprovação é relatado uma vez. O primeiro relato vale.")
    next_step = _("Leia a proposta para ver o que foi relatado.")
