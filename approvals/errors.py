"""Refusals of the approval life, each with its own sentence, code and next step."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import InvalidInputError, RefusedError


class PolicyRefusedError(InvalidInputError):
    """The tenant's policy in force does not allow this action."""

    code = "politica_nao_permite"
    title = _("A política não permite esta ação")
    what = _("A política em vigor não permite esta ação. Nada foi gravado.")
    next_step = _("Confira projeto, etiquetas e responsáveis, ou fale com um admin.")


class RequesterRoleError(PolicyRefusedError):
    code = "papel_nao_pede"
    what = _("Seu papel não pode pedir esta ação.")


class TooManyAssigneesError(PolicyRefusedError):
    code = "responsaveis_demais"
    what = _("Esta ação aceita menos responsáveis.")


class UnknownAliasError(PolicyRefusedError):
    code = "projeto_desconhecido"
    what = _("Este projeto não está na política da sua empresa.")


class UnknownLabelError(PolicyRefusedError):
    code = "etiqueta_desconhecida"
    what = _("Uma das etiquetas não está na política deste projeto.")


class UnknownAssigneeError(PolicyRefusedError):
    code = "responsavel_desconhecido"
    what = _("Um dos responsáveis não está na política deste projeto.")


class NoBasisError(PolicyRefusedError):
    """A proposal may not rest on an answer that found nothing."""

    code = "sem_base"
    what = _("Esta pergunta não encontrou base nos runbooks; dela não sai proposta.")


class ConsultRequiredError(PolicyRefusedError):
    """The policy wants this kind of action to rest on what the runbooks say."""

    code = "consulta_exigida"
    what = _("A política exige consultar os runbooks antes de propor este tipo de ação.")


class AlreadyProposedError(RefusedError):
    """A run prepares at most one proposal."""

    code = "rodada_ja_tem_proposta"
    title = _("Esta rodada já tem uma proposta")
    what = _("Cada rodada prepara no máximo uma proposta, e esta já preparou a sua.")
    next_step = _("Abra a proposta existente, ou comece outra rodada.")


class ContentChangedError(RefusedError):
    """The hash shown, the hash stored and the hash of the content are not the same."""

    code = "conteudo_mudou"
    title = _("O conteúdo não é o que você viu")
    what = _("O conteúdo guardado não confere com o que a sua página mostrava. Nada foi decidido.")
    next_step = _("Abra a proposta de novo e leia o conteúdo antes de decidir.")


class SelfApprovalError(RefusedError):
    code = "propria_solicitacao"
    http_status = 403
    title = _("Outra pessoa precisa decidir")
    what = _("Você pediu esta ação; a decisão é de outra pessoa. Nada foi decidido.")
    next_step = _("Avise um aprovador. Você acompanha por Minhas solicitações.")


class NotEligibleError(RefusedError):
    code = "papel_nao_decide"
    http_status = 403
    title = _("Seu papel não decide esta proposta")
    what = _("Esta proposta pede um papel que você não tem. Nada foi decidido.")
    next_step = _("Avise alguém com o papel pedido.")


class ExpiredError(RefusedError):
    code = "proposta_expirada"
    title = _("O prazo desta proposta terminou")
    what = _("A proposta expirou antes da decisão. Nada será executado.")
    next_step = _("Quem pediu pode começar outra rodada com o mesmo conteúdo.")


class AlreadyDecidedError(RefusedError):
    code = "ja_decidida"
    title = _("Esta proposta já foi decidida")
    what = _("Outra decisão chegou antes. A sua não foi gravada.")
    next_step = _("Abra a proposta para ver quem decidiu e quando.")


class PolicyMovedError(RefusedError):
    """The policy in force no longer gives the outcome the proposal was made under."""

    code = "politica_mudou"
    title = _("A política mudou desde a proposta")
    what = _("A política em vigor dá outro resultado para esta ação. Nada foi decidido.")
    next_step = _("Quem pediu precisa preparar uma nova proposta sob a política de agora.")


class NewerRulesError(RefusedError):
    """The row carries rules of a newer release: none of this one decides it (I12)."""

    code = "versao_mais_nova"
    title = _("Esta proposta foi feita por uma versão mais nova")
    what = _("Este console não conhece todas as regras desta proposta. Nada foi decidido.")
    next_step = _("Quem opera o console põe a versão nova de volta; a proposta espera até lá.")


class ReasonRequiredError(InvalidInputError):
    code = "motivo_exigido"
    title = _("Falta o motivo")
    what = _("Esta decisão pede um motivo com pelo menos 10 caracteres.")
    next_step = _("Escreva o motivo e confirme de novo.")


class NothingToWithdrawError(RefusedError):
    """The effect was claimed, has ended, or never was: nothing is held any more."""

    code = "nada_a_retirar"
    title = _("Não há mais o que retirar")
    what = _("A execução já começou ou já terminou. A retirada não foi gravada.")
    next_step = _("Abra a proposta para ver o estado de agora.")


class NotDeciderError(RefusedError):
    """Only who approved takes the execution back."""

    code = "quem_nao_aprovou_nao_retira"
    http_status = 403
    title = _("Só quem aprovou retira a execução")
    what = _("Você não aprovou esta proposta. Nada mudou.")
    next_step = _("Avise quem aprovou; o nome está na linha do tempo da proposta.")


class NothingToResumeError(RefusedError):
    """Nothing about this execution waits for a person."""

    code = "nada_a_retomar"
    title = _("Nada espera por uma pessoa aqui")
    what = _("Esta execução não está esperando por ninguém.")
    next_step = _("Abra a proposta para ver o estado de agora.")


class InvalidPolicyError(InvalidInputError):
    """A field of the document is missing, unknown or out of range; `fields` names them."""

    code = "politica_invalida"
    title = _("A política não pode ser aceita")
    what = _("Um campo da política falta, sobra ou está fora do limite. Nada foi gravado.")
    next_step = _("Corrija os campos indicados e grave o rascunho de novo.")


class NothingChangesError(InvalidInputError):
    code = "politica_igual"
    title = _("Nada mudaria")
    what = _("Este rascunho é igual à política em vigor. Nada foi gravado.")
    next_step = _("Mude o que precisa mudar, ou volte para a política em vigor.")


class SecondAdminError(RefusedError):
    """Who wrote a policy never puts it in force."""

    code = "outro_admin_ativa"
    http_status = 403
    title = _("Outro admin ativa")
    what = _("Você escreveu este rascunho; outro admin o ativa. Nada mudou.")
    next_step = _("Envie o endereço desta página a outro admin.")


class DraftOutdatedError(RefusedError):
    """Another version came into force, or the content shown is not the content stored."""

    code = "rascunho_desatualizado"
    title = _("Este rascunho não vale mais")
    what = _(
        "Outra versão entrou em vigor depois dele, ou o conteúdo não é o mostrado. Nada mudou."
    )
    next_step = _("Abra a política em vigor e prepare um novo rascunho a partir dela.")


class DraftClosedError(RefusedError):
    code = "rascunho_encerrado"
    title = _("Este rascunho já foi encerrado")
    what = _("Outra pessoa o ativou ou descartou antes. Nada mudou.")
    next_step = _("Abra a lista de versões para ver o que está em vigor.")


class PolicyTooLargeError(RefusedError):
    code = "politica_grande_demais"
    title = _("Esta política não cabe no editor")
    what = _("A política tem mais projetos do que o editor mostra de uma vez. Nada mudou.")
    next_step = _("Peça a quem opera o console para dividir os projetos.")


class NothingToAskAgainError(RefusedError):
    """The proposal is open, under way, done, or has been asked again by another one."""

    code = "nada_a_pedir_de_novo"
    title = _("Não há o que pedir de novo")
    what = _(
        "Esta proposta espera por uma decisão, está em execução, foi executada ou já foi pedida."
    )
    next_step = _("Abra a proposta para ver o estado de agora.")


class AskedAlreadyError(RefusedError):
    """One proposal about the same effect is pending already."""

    code = "ja_pedido"
    title = _("Isto já foi pedido")
    what = _("Outra proposta sobre a mesma execução espera por uma decisão. Nada foi gravado.")
    next_step = _("Abra a proposta: o que já foi pedido sobre ela está ligado ali.")


class NothingToReverseError(RefusedError):
    """The effect is not done, or was undone, or nothing of ours undoes it."""

    code = "nada_a_reverter"
    title = _("Não há o que reverter")
    what = _("Só uma issue criada por esta proposta, como aprovada, é fechada por uma reversão.")
    next_step = _("Abra a proposta para ver o estado de agora.")


class NothingToSendAgainError(RefusedError):
    """The outcome is known, or is still being looked for."""

    code = "nada_a_reenviar"
    title = _("Não há o que enviar de novo")
    what = _("Um reenvio só é pedido enquanto o resultado é desconhecido e ninguém procura.")
    next_step = _("Abra a proposta para ver o estado de agora.")


class NothingToProveError(RefusedError):
    code = "nada_a_apontar"
    title = _("Ninguém espera por este resultado")
    what = _("O resultado já é conhecido, ou está sendo procurado agora. Nada foi gravado.")
    next_step = _("Abra a proposta para ver o estado de agora.")


class NotAnIssueOfThisError(InvalidInputError):
    """What was given is not the number or the address of an issue of the approved project."""

    code = "nao_e_issue_do_projeto"
    title = _("Este endereço não serve de prova")
    what = _("Dê o número da issue, ou o endereço dela no projeto aprovado. Nada foi gravado.")
    next_step = _("Copie o endereço da página da issue no destino e envie de novo.")
