"""What is due and may not start yet stays in the queue: stops, windows, freezes, a chosen time."""

from __future__ import annotations

import datetime as dt
from uuid import UUID

from django.db.models.functions import Now

from approvals import entries
from approvals.execution import settlement
from approvals.execution.claims import Claim
from approvals.models import Execution, ExecutionState
from approvals.stops import hindrance
from approvals.stops.hindrance import Hindrance
from audit.vocabulary import Authorization, Result
from opspilot.tenancy import lease
from opspilot.tenancy.scope import tenant_scope

FAILED = "falha_interna"
_REST = dt.timedelta(minutes=1)


def hold_back(execution: Execution) -> bool:
    """Whether something stands in the way of this due effect; it then waits on, and says why.

    Belongs right before the claim, in its transaction: the lock that is taken here keeps a stop
    that is pressed at this instant out until the claim is committed.
    """
    if execution.state != ExecutionState.RETIDA:
        return False
    found = hindrance.of(execution.approval, until=execution.resend_until)
    if found is None:
        return False
    _wait(execution, found)
    return True


def hold_claimed(claim: Claim) -> bool:
    """The same for a claim on what was being sent when its worker ended before anything left."""
    if claim.found_in == ExecutionState.RETIDA:
        return False  # asked before it was claimed
    found = hindrance.of(claim.proposal, until=claim.execution.resend_until)
    if found is None:
        return False
    settlement.held_back(claim, reason=found.code, until=found.retry_at)
    return True


def put_off(*, tenant_id: UUID, execution_id: int) -> None:
    """A minute's rest for what failed on our side before it began and is due as before: it would be
    taken first again, every time, and the rows after it never. A held one is its holder's."""
    later = Now() + _REST
    with tenant_scope(tenant_id):
        mine = Execution.objects.filter(pk=execution_id)
        queued = mine.filter(state=ExecutionState.RETIDA, not_before__lte=Now())
        if not queued.update(reason=FAILED, not_before=later, updated_at=Now()):
            looked_at = mine.filter(lease.free(), next_lookup_at__lte=Now())
            looked_at.update(next_lookup_at=later, updated_at=Now())


def _wait(execution: Execution, found: Hindrance) -> None:
    mine = Execution.objects.filter(pk=execution.pk, state=ExecutionState.RETIDA)
    waits = mine.update(reason=found.code, not_before=found.retry_at, updated_at=Now())
    if waits and execution.reason != found.code:  # told once, however often it is asked
        entries.record(
            execution.approval,
            action="execucao.adiada",
            result=Result.ERRO,
            authorization=Authorization.HUMANA,
            aprovado_por=execution.approval.decidida_por,
            erro=found.code,
        )
