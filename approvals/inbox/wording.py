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
from audit import reasons
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
    target, hosts, values = (action.get(name) for name in ("target", "hosts", "variables"))
    name = target.get("template_name") if isinstance(target, dict) else None
    given = sorted(values.items()) if isinstance(values, dict) else []
    said = [str(value) for _name, value in given]
    words = {
        "template": str(name or action.get("alias", "?")),
        "values": _cut(", ".join(said), most=60),
        "hosts": _cut(", ".join(map(str, hosts)), most=80) if isinstance(hosts, list) else "?",
    }
    if said:
        return _("%(template)s (%(values)s) em %(hosts)s") % words
    return _("%(template)s em %(hosts)s") % words


def _cut(text: str, *, most: int) -> str:
    """A title is one line; the whole of it stands below."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip(', ')}…"


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
    if words := reasons.words(code):
        return words
    return _("campos que diferem do aprovado: %(fields)s") % {"fields": code} if code else ""
