"""Codes and states as words a person acts on. No rule lives here."""

from __future__ import annotations

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.actions import ISSUE_CLOSED, SENT_AGAIN
from approvals.agents import external
from approvals.models import AgenteAprovacao, Execution, ExecutionState, State
from approvals.policy import stored
from approvals.tasks.task_command import TASK_RUN
from opspilot.presentation.shapes import State as Drawn

_PROPOSAL: dict[str, Drawn] = {
    State.PENDENTE: "pending",
    State.APROVADA: "done",
    State.RECUSADA: "failed",
    State.EXPIRADA: "failed",
    State.CANCELADA: "failed",
    State.DEVOLVIDA: "attention",
}
_EXECUTION: dict[str, Drawn] = {
    ExecutionState.RETIDA: "running",
    ExecutionState.EM_ENVIO: "running",
    ExecutionState.CONCLUIDA: "done",
    ExecutionState.RECUSADA: "failed",
    ExecutionState.DESCONHECIDA: "unknown",
    ExecutionState.DIVERGENTE: "attention",
    ExecutionState.BLOQUEADA: "attention",
    ExecutionState.RETIRADA: "pending",
    ExecutionState.REVERTIDA: "pending",
}
_COVERAGE: dict[str, Promise] = {
    "alta": gettext_lazy("alta"),
    "media": gettext_lazy("média"),
    "baixa": gettext_lazy("baixa"),
}
_REASONS: dict[str, Promise] = {
    "aprovacao_ausente": gettext_lazy("a aprovação não confere mais"),
    "conteudo_mudou": gettext_lazy("o conteúdo guardado não é o aprovado"),
    "acao_sem_executor": gettext_lazy("este console ainda não executa este tipo de ação"),
    "politica_alterada": gettext_lazy("o texto guardado da política não é o que foi ativado"),
    "politica_mudou": gettext_lazy("a política em vigor dá outro resultado"),
    "prazo_de_execucao_passou": gettext_lazy("o prazo para executar passou"),
    "destino_mudou": gettext_lazy("o endereço do destino mudou"),
    "texto_ativo": gettext_lazy("o texto contém um comando que o destino executaria"),
    "projeto_mudou_de_endereco": gettext_lazy("o projeto mudou de endereço no destino"),
    "destino_indisponivel": gettext_lazy("o destino não respondeu; nada foi enviado"),
    "destino_ocupado": gettext_lazy("o destino pediu para esperar; nada foi feito"),
    "destino_sem_acesso": gettext_lazy(
        "o destino não deixa ler o projeto com a credencial de agora; nada foi enviado"
    ),
    "destino_indisponivel_esgotado": gettext_lazy(
        "o destino não respondeu nas 5 tentativas; nada foi enviado"
    ),
    "destino_ocupado_esgotado": gettext_lazy(
        "o destino pediu para esperar nas 5 tentativas; nada foi feito"
    ),
    "resposta_perdida": gettext_lazy("o pedido saiu e a resposta não voltou"),
    "trabalho_interrompido": gettext_lazy(
        "o envio foi interrompido antes de a resposta ser gravada"
    ),
    "parada_de_emergencia": gettext_lazy("uma parada de emergência está em vigor"),
    "fora_da_janela": gettext_lazy("a política não deixa começar a esta hora"),
    "congelamento": gettext_lazy("a política tem um congelamento em vigor"),
    "ainda_nao_e_hora": gettext_lazy("ainda não é a hora escolhida por quem pediu"),
    "destino_em_pausa": gettext_lazy("o destino vem falhando e é deixado em paz por um tempo"),
    "sem_vaga": gettext_lazy("há pedidos demais para este destino ao mesmo tempo"),
    "reenvio_automatico": gettext_lazy("duas buscas não acharam nada; o mesmo pedido sai de novo"),
    "reenvio_autorizado": gettext_lazy("outra pessoa aprovou um reenvio"),
    "execucao_mudou": gettext_lazy("a execução a que se refere não está mais como na proposta"),
    "prova_nao_confere": gettext_lazy("a issue apontada não é desta proposta, como aprovada"),
    "prova_nao_achada": gettext_lazy("a issue apontada não existe ou não pode ser lida"),
    "prova_sem_resposta": gettext_lazy("o destino não respondeu sobre a issue apontada"),
    "nada_achado": gettext_lazy("a última busca não achou a issue"),
    "lista_indisponivel": gettext_lazy("a lista do destino não respondeu à última busca"),
    "sem_marcador": gettext_lazy("há no destino uma issue nossa sem marcador, que pode ser esta"),
    "template_mudou": gettext_lazy("o template mudou no Semaphore depois da proposta"),
    "template_sem_limite": gettext_lazy("o template no Semaphore não respeita mais um destino"),
    "host_fora_do_inventario": gettext_lazy("o inventário do template não tem mais o host"),
    "destino_nao_e_um_host": gettext_lazy("o destino não é o nome de um host"),
    "variavel_nao_permitida": gettext_lazy("uma variável não pode ser enviada"),
    "tarefa_sem_fim": gettext_lazy("a tarefa não terminou no prazo"),
    "falhou_em_hosts": gettext_lazy("a tarefa rodou e falhou em pelo menos um host"),
    "falhou_sem_resumo": gettext_lazy("a tarefa falhou e não diz em que hosts rodou"),
    "nada_executado": gettext_lazy("a tarefa terminou sem executar nada em host nenhum"),
    "host_sem_resultado": gettext_lazy("um host aprovado não aparece no resumo"),
    "host_fora_do_aprovado": gettext_lazy("a tarefa rodou num host que ninguém aprovou"),
    "tarefa_parada": gettext_lazy("a tarefa foi parada; parte dela pode ter rodado"),
    "parada_nao_confirmada": gettext_lazy("o pedido de parar a tarefa não teve resposta"),
}


def sentence(proposal: AgenteAprovacao) -> str:
    """The action in words: what will be done and where."""
    if stored.is_external(proposal.proposta):
        return external.sentence(proposal)
    return sentence_of(proposal.proposta)


def sentence_of(action: dict[str, Any]) -> str:
    """The same of an action that we carry out ourselves, also before it is a proposal."""
    if action.get("kind") == TASK_RUN:
        return _task(action)
    # A row altered behind our back must not take the whole queue's page with it.
    target, issue = action.get("target"), action.get("issue")
    words = {
        "path": target.get("project_path", "?") if isinstance(target, dict) else "?",
        "iid": issue.get("iid", "?") if isinstance(issue, dict) else "?",
    }
    if action.get("kind") == ISSUE_CLOSED:
        return _("Fechar a issue %(iid)s em %(path)s") % words
    if action.get("kind") == SENT_AGAIN:
        return _("Enviar de novo: criar issue em %(path)s") % words
    return _("Criar issue em %(path)s") % words


def _task(action: dict[str, Any]) -> str:
    hosts = action.get("hosts")
    where = ", ".join(map(str, hosts)) if isinstance(hosts, list) else "?"
    return _("Executar %(template)s em %(hosts)s") % {
        "template": action.get("alias", "?"),
        "hosts": where,
    }


def coverage(code: str | None) -> str:
    """The coverage of the evidence; without a code nothing was consulted."""
    return str(_COVERAGE.get(code, code)) if code else _("comando explícito")


def state(
    proposal: AgenteAprovacao,
    execution: Execution | None,
    effect: tuple[Drawn, str] | None = None,
) -> tuple[Drawn, str]:
    """The one state a person needs: the effect's once there is one, else the proposal's. `effect`
    is that of an action an agent carries out, of `uses.states`."""
    if effect is not None:
        return effect
    if execution is not None:
        return _EXECUTION[execution.state], str(ExecutionState(execution.state).label)
    return _PROPOSAL[proposal.estado], str(State(proposal.estado).label)


def reason(code: str) -> str:
    """Why an execution stands where it stands."""
    if code.startswith("destino_recusou_"):
        status = code.rpartition("_")[2]
        return _("o destino recusou com o código %(status)s") % {"status": status}
    codes = code.split(",") if code else []
    if codes and all(part in _REASONS for part in codes):
        return "; ".join(str(_REASONS[part]) for part in codes)
    return _("campos que diferem do aprovado: %(fields)s") % {"fields": code} if code else ""
