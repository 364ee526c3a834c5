"""How a claim ends: state, what was tried, and the trail row, in one transaction."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.conf import settings
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from approvals import drafts, entries
from approvals.execution import claims
from approvals.execution.claims import Claim
from approvals.models import ExecutionState
from audit.vocabulary import Authorization, Result
from opspilot.connectors.issues import RemoteIssue
from opspilot.resilience.backoff import exponential

MAX_TRIES = 5
# Seconds between look-ups once the client's own deadline has passed; then a person is asked.
LOOKUP_WAITS = (5.0, 15.0, 60.0, 180.0, 300.0)


def differences(sent: dict[str, Any], issue: RemoteIssue) -> list[str]:
    """Fields in which the remote's word differs from the approved body; empty = as approved."""
    labels = frozenset(sent.get("labels", "").split(",")) - {""}
    checks = {
        "titulo": issue.title == sent["title"],
        "descricao": issue.description.rstrip() == sent["description"].rstrip(),
        "etiquetas": issue.labels == labels,
        "responsaveis": issue.assignee_ids == frozenset(sent.get("assignee_ids", [])),
        "confidencial": issue.confidential == sent["confidential"],
        "estado": issue.state == "opened",
    }
    return [name for name, same in checks.items() if not same]


def effect(claim: Claim, issue: RemoteIssue, *, found: int = 1, duration_ms: int = 0) -> None:
    """The issue exists. As approved it is done; otherwise it is an incident, not a success."""
    sent = drafts.body(claim.proposal.proposta, claim.execution.marker)
    differs = differences(sent, issue)
    if found > 1:
        differs.append("duplicada")
    remote = {"iid": issue.iid, "id": issue.id, "project_id": issue.project_id, "url": issue.url}
    state = ExecutionState.DIVERGENTE if differs else ExecutionState.CONCLUIDA
    claims.release(
        claim, state=state, remote=remote, reason=",".join(differs)[:60], next_lookup_at=None
    )
    record(
        claim,
        claim.proposal.acao,
        Result.ERRO if differs else Result.OK,
        saida_resumo=_("issue %(iid)s do projeto %(path)s")
        % {"iid": issue.iid, "path": claim.proposal.proposta["target"]["project_path"]},
        erro=_("difere do aprovado: %(fields)s") % {"fields": ", ".join(differs)}
        if differs
        else None,
        reversivel=True,
        reversao_ref=issue.url,
        duracao_ms=duration_ms,
    )


def refused(claim: Claim, *, status: int) -> None:
    """The remote said no. Nothing was done and nothing will be tried again."""
    claims.release(claim, state=ExecutionState.RECUSADA, reason=f"destino_recusou_{status}")
    record(claim, claim.proposal.acao, Result.RECUSADO, erro=f"destino_recusou_{status}")


def blocked(claim: Claim, *, reason: str) -> None:
    """Fails closed before anything was sent; a person reads why."""
    claims.release(claim, state=ExecutionState.BLOQUEADA, reason=reason)
    record(claim, "execucao.bloqueada", Result.RECUSADO, erro=reason)


def postponed(claim: Claim, *, tries: int, reason: str, wait: float | None = None) -> None:
    """Nothing was sent: try again later, a bounded number of times, then wait for a person."""
    if tries >= MAX_TRIES:
        blocked(claim, reason=f"{reason}_esgotado")
        return
    seconds = wait or exponential(tries, first=5.0, ceiling=300.0)
    claims.release(
        claim,
        state=ExecutionState.RETIDA,
        reason=reason,
        attempts=tries,
        not_before=Now() + dt.timedelta(seconds=seconds),
    )
    record(claim, "execucao.adiada", Result.ERRO, erro=reason)


def unknown(claim: Claim, *, reason: str) -> None:
    """It may have happened. The look-up waits for the client's own deadline to pass."""
    wait = dt.timedelta(seconds=settings.OPSPILOT_GITLAB_TIMEOUT + 1)
    claims.release(
        claim,
        state=ExecutionState.DESCONHECIDA,
        reason=reason,
        next_lookup_at=Now() + wait,
    )
    record(claim, claim.proposal.acao, Result.DESCONHECIDO, erro=reason)


def not_found(claim: Claim, *, reason: str) -> None:
    """A look-up that found nothing proves nothing: look again, later, and then ask a person."""
    done = claim.execution.lookups + 1
    wait = LOOKUP_WAITS[done - 1] if done <= len(LOOKUP_WAITS) else None
    claims.release(
        claim,
        state=ExecutionState.DESCONHECIDA,
        lookups=done,
        reason=reason,
        next_lookup_at=None if wait is None else Now() + dt.timedelta(seconds=wait),
    )
    record(claim, "execucao.procurada", Result.DESCONHECIDO, saida_resumo=reason)


def record(claim: Claim, action: str, result: Result, **values: Any) -> None:
    entries.record(
        claim.proposal,
        action=action,
        result=result,
        authorization=Authorization.HUMANA,
        aprovado_por=claim.proposal.decidida_por,
        **values,
    )
