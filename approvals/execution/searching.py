"""Looking for what may have happened: by listing, by a person's pointer, or by following it (I4)."""

from __future__ import annotations

import datetime as dt

import structlog
from django.conf import settings
from django.db import DataError

from approvals.actions import SENT_AGAIN
from approvals.execution import attempts, claims, points, settlement
from approvals.execution.claims import Claim
from approvals.execution.effects import Effect
from approvals.execution.seen import Found, Printed, Seen
from approvals.execution.speaking import speaking
from approvals.models import AgenteAprovacao, ExecutionState
from approvals.tasks import task_outputs
from opspilot import telemetry
from opspilot.connectors.errors import (
    ConnectorError,
    PostponedError,
    RefusedByRemoteError,
    UnmarkedError,
)
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)

RUNS_ON = 2.0  # seconds until what was found running is looked at
POLL_AGAIN = 15.0  # seconds after a look at something running that got no answer


def look_up(claim: Claim, effect: Effect) -> None:
    """Search by listing. Nothing is sent from here: at most it is queued again, inside the rules."""
    number = claim.execution.lookups + 1
    with telemetry.span("reconciliation", attempt=number):
        found = _listed(claim, effect)
    points.reach("mid_reconcile")
    with tenant_scope(claim.execution.tenant_id):
        if isinstance(found, PostponedError):
            settlement.look_later(claim, wait=found.retry_after)
            return
        outcome = _outcome(found)
        attempts.note(
            claim,
            kind=attempts.LOOKED_UP,
            number=attempts.count(claim.execution, attempts.LOOKED_UP) + 1,
            outcome=outcome,
            detail=str(len(found.seen)) if isinstance(found, Found) else "",
        )
        if isinstance(found, Found) and len(found.seen) == 1 and found.seen[0].running:
            settlement.started(claim, found.seen[0], wait=RUNS_ON)
        elif isinstance(found, Found) and found.seen:
            settlement.effect(claim, found.seen[0], others=found.seen[1:])
        elif outcome == attempts.NOTHING and _may_send_again(claim, effect):
            settlement.sent_again(claim)
        else:
            settlement.not_found(claim, reason=outcome)


def confirm(claim: Claim, effect: Effect) -> None:
    """After a second request was answered: whether the first one has arrived after all."""
    found = _listed(claim, effect)
    with tenant_scope(claim.execution.tenant_id):
        if isinstance(found, Found) and found.complete:
            settlement.confirmed(claim, found.seen)
        else:
            settlement.look_later(claim, wait=settings.OPSPILOT_GRACE_SECONDS)


def prove(claim: Claim, effect: Effect) -> None:
    """What a person says is ours: done only if it is, whole and as approved."""
    try:
        with speaking(effect.connector, tenant_id=claim.execution.tenant_id):
            seen: Seen | ConnectorError = effect.get(claim.proposal, claim.execution.proof)
    except ConnectorError as exc:
        seen = exc
    points.reach("mid_reconcile")
    with tenant_scope(claim.execution.tenant_id):
        if isinstance(seen, PostponedError):
            settlement.look_later(claim, wait=seen.retry_after)
            return
        outcome = _proof(seen)
        attempts.note(
            claim,
            kind=attempts.LOOKED_UP,
            number=attempts.count(claim.execution, attempts.LOOKED_UP) + 1,
            outcome=outcome,
            detail=", ".join(seen.differs)[:200] if isinstance(seen, Seen) else "",
        )
        if isinstance(seen, Seen) and outcome == attempts.PROVEN:
            settlement.effect(claim, seen)
        else:
            settlement.not_proved(claim, reason=f"prova_{outcome}")


def _proof(seen: Seen | ConnectorError) -> str:
    match seen:
        case Seen():
            return attempts.NOT_OURS if seen.differs else attempts.PROVEN
        case RefusedByRemoteError():
            return attempts.NOT_THERE
        case _:
            return attempts.NO_ANSWER


def follow(claim: Claim, effect: Effect) -> None:
    """Something that was started and runs on by itself."""
    with tenant_scope(claim.execution.tenant_id):
        since = attempts.first_sent_at(claim.execution)
    try:
        with speaking(effect.connector, tenant_id=claim.execution.tenant_id):
            progress = effect.follow(claim.proposal, claim.execution.remote, since=since)
    except ConnectorError as exc:
        wait = exc.retry_after if isinstance(exc, PostponedError) else POLL_AGAIN
        with tenant_scope(claim.execution.tenant_id):
            settlement.look_later(claim, wait=wait)
        return
    _keep(claim, progress.printed)
    with tenant_scope(claim.execution.tenant_id):
        if progress.running:
            settlement.keep_following(claim, wait=progress.wait, remote=progress.remote)
        else:
            settlement.ended(claim, progress)


def _keep(claim: Claim, printed: Printed | None) -> None:
    """Under the claim, as anything else. What was printed decides nothing: one that cannot be kept
    holds no execution past its time."""
    if printed is None:
        return
    try:
        with tenant_scope(claim.execution.tenant_id):
            claims.hold(claim)
            task_outputs.keep(
                claim.proposal,
                status=printed.status,
                text=printed.text,
                recap=printed.recap,
                ended=printed.ended,
            )
    except (DataError, ValueError):
        log.warning("task output not kept", execution=claim.execution.pk)


def _listed(claim: Claim, effect: Effect) -> Found | ConnectorError:
    tenant_id = claim.execution.tenant_id
    with tenant_scope(tenant_id):
        since = attempts.first_sent_at(claim.execution) - attempts.SKEW
    try:
        with speaking(effect.connector, tenant_id=tenant_id):
            return effect.find(claim.proposal, claim.execution.marker, since=since)
    except ConnectorError as exc:
        return exc


def _outcome(found: Found | ConnectorError) -> str:
    if isinstance(found, UnmarkedError):
        return attempts.UNMARKED
    if not isinstance(found, Found):
        return attempts.UNREADABLE
    if found.seen:
        return attempts.FOUND
    return attempts.NOTHING if found.complete else attempts.UNREADABLE


def _may_send_again(claim: Claim, effect: Effect) -> bool:
    """Only by itself: two clean look-ups in a row over the grace, and requests left. What a person
    sets off searches and does not send, and once people were asked whether to send it again, theirs
    is the only word: not even one that they refused leaves by itself."""
    execution = claim.execution
    clean = attempts.clean_for(execution)
    by_itself = execution.lookups <= len(settlement.LOOKUP_SHARES)
    left = settings.OPSPILOT_MAX_SENDS + execution.extra_sends - attempts.uncertain(execution)
    grace = dt.timedelta(seconds=settings.OPSPILOT_GRACE_SECONDS)
    return (
        effect.may_resend
        and by_itself
        and execution.state == ExecutionState.DESCONHECIDA
        and left > 0
        and clean is not None
        and clean >= grace
        and not AgenteAprovacao.objects.filter(sobre=claim.proposal, acao=SENT_AGAIN).exists()
    )
