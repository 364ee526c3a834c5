"""From an approved proposal to its effect: claim → revalidate → attempt row → send → settle.

We never claim exactly-once: not sent, refused and unknown are three outcomes, and unknown is looked
up before anything else (design §7).
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import structlog

from approvals.execution import (
    attempts,
    claims,
    holding,
    points,
    repeating,
    revalidation,
    searching,
    sending,
    settlement,
)
from approvals.execution.claims import Claim
from approvals.execution.effects import Effect, effect_of
from approvals.models import ExecutionState
from opspilot.connectors.issues import IssueTracker
from opspilot.connectors.tasks import TaskRunner
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
_Step = Callable[[Claim, Effect], None]


def advance(
    *,
    tenant_id: UUID,
    execution_id: int,
    tracker: IssueTracker | None = None,
    runner: TaskRunner | None = None,
) -> bool:
    """Take the execution one step on, if it is due. Safe to call at any time, by anybody. False: it
    was not there to be taken."""
    points.reach("before_claim")
    try:
        with tenant_scope(tenant_id):
            due = claims.due(execution_id=execution_id)
            if due is None:
                return False
            claim = None if holding.hold_back(due.execution) else claims.begin(due)
            if claim is None:
                return True
            effect = effect_of(_kind(claim), tracker=tracker, runner=runner)
            step = None if _is_lost(claim, effect) else _step(claim, effect)
        points.reach("after_claim")
        if step is not None and effect is not None:
            step(claim, effect)
    except claims.LateClaimError:
        log.warning("a late claim changed nothing", execution=execution_id)
    return True


def _kind(claim: Claim) -> str:
    """By what was approved, not by a column that no hash covers."""
    action = claim.proposal.proposta
    return str(action.get("kind", "")) if isinstance(action, dict) else ""


def _is_lost(claim: Claim, effect: Effect | None) -> bool:
    """Whether what was sent is of a content that cannot be read any more: then nobody looks."""
    if effect is not None or _after_sending(claim) is None:
        return False
    settlement.unreadable(claim)
    return True


def _step(claim: Claim, effect: Effect | None) -> _Step | None:
    """What the claim is for; what can be settled without the remote is settled here."""
    resting = _after_sending(claim)
    if resting is not None:
        return resting
    tried = attempts.of(claim.execution) if claim.was_tried else []
    unanswered = attempts.unanswered(tried)
    if unanswered and effect is not None and claim.found_in == ExecutionState.EM_ENVIO:
        _interrupted(claim, effect, unanswered)
        return None
    if holding.hold_claimed(claim):
        return None
    fault = revalidation.fault(claim, effect)
    if fault:
        settlement.blocked(claim, reason=fault)
        return None
    if effect is None:
        repeating.carry_out(claim)
        return None
    claim.earlier = attempts.earliest(tried)
    claim.sent = sum(row.kind == attempts.SENT for row in tried)
    return sending.send


def _after_sending(claim: Claim) -> _Step | None:
    """Whatever was sent is looked for or followed, and never sent from here."""
    match claim.found_in:
        case ExecutionState.CONCLUIDA | ExecutionState.REVERTIDA:
            return searching.confirm
        case ExecutionState.DESCONHECIDA if claim.execution.proof:
            return searching.prove
        case ExecutionState.DESCONHECIDA | ExecutionState.EM_ENVIO if claim.execution.remote:
            return searching.follow
        case ExecutionState.DESCONHECIDA:
            return searching.look_up
        case _:
            return None


def _interrupted(claim: Claim, effect: Effect, number: int) -> None:
    """The worker that sent it died before it wrote the outcome: it may have happened."""
    attempts.note(claim, kind=attempts.ANSWERED, number=number, outcome=attempts.INTERRUPTED)
    settlement.unknown(claim, reason="trabalho_interrompido", timeout=effect.timeout)
