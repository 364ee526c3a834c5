"""Codes and states as words a person acts on. No rule lives here."""

from __future__ import annotations

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

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
    "nada_achado": gettext_lazy("a última busca não achou a issue"),
    "lista_indisponivel": gettext_lazy("a lista do destino não respondeu à última busca"),
}


def sentence(proposal: AgenteAprovacao) -> str:
    """The action in words: what will be done and where."""
    if stored.is_external(proposal.proposta):
        return external.sentence(proposal)
    if proposal.proposta.get("kind") == TASK_RUN:
        return _task(proposal.proposta)
    # A row altered behind our back must not take the whole queue's page with it.
    target = proposal.proposta.get("target")
    path = target.get("project_path", "?") if isinstance(target, dict) else "?"
    return _("Criar issue em %(path)s") % {"path": path}


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
        return _EXECUTION[execution.state], str(execution.get_state_display())
    return _PROPOSAL[proposal.estado], str(proposal.get_estado_display())


def reason(code: str) -> str:
    """Why an execution stands where it stands."""
    if code.startswith("destino_recusou_"):
        status = code.rpartition("_")[2]
        return _("o destino recusou com o código %(status)s") % {"status": status}
    if code in _REASONS:
        return str(_REASONS[code])
    return _("campos que diferem do aprovado: %(fields)s") % {"fields": code} if code else ""
