"""One step of an execution at a time, with the waits between them let pass at once."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import Any

from django.db.models.functions import Now

from approvals import drafts
from approvals.execution import advancing, claims, recovery
from approvals.execution.claims import Claim
from approvals.models import Execution, ExecutionAttempt
from audit.models import AgenteAcao
from opspilot.connectors.errors import (
    OutcomeUnknownError,
)
from opspilot.connectors.issues import RemoteIssue
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.factories import Approved
from tests.fakes import FakeTracker, echo


class KilledError(BaseException):
    """The worker's process ends here: nothing after it runs."""


def advance(approved: Approved, tracker: FakeTracker) -> Execution:
    advancing.advance(
        tenant_id=approved.tenant.pk, execution_id=approved.execution_id, tracker=tracker
    )
    return approved.execution()


def take(*, execution_id: int) -> Claim | None:
    """Claim it in the open scope as a worker does, with no stop in the way; None where it is not due."""
    found = claims.due(execution_id=execution_id)
    return None if found is None else claims.begin(found)


def change(approved: Approved, **values: Any) -> None:
    with tenant_scope(approved.tenant.pk):
        Execution.objects.filter(pk=approved.execution_id).update(**values)


def make_due(approved: Approved) -> None:
    """Let every wait be over: hold, lease and look-up."""
    past = Now() - dt.timedelta(seconds=1)
    now = approved.execution()
    waits = {"not_before": past}
    if now.lease_until:
        waits["lease_until"] = past
    if now.next_lookup_at:
        waits["next_lookup_at"] = past
    change(approved, **waits)


def resume(approved: Approved) -> None:
    with tenant_scope(approved.tenant.pk):
        recovery.resume(proposal=approved.proposal, person=approved.requester)


def trail(
    approved: Approved, action: str = "issue.criada", *, pending: bool = False
) -> list[AgenteAcao]:
    """The rows of the effect; that of the proposal itself, which is pending, is left out."""
    with tenant_scope(approved.tenant.pk):
        rows = AgenteAcao.objects.filter(acao=action)
        rows = rows if pending else rows.exclude(resultado="pendente")
        return list(rows.order_by("id"))


def attempts(approved: Approved) -> list[tuple[str, int, str]]:
    with tenant_scope(approved.tenant.pk):
        rows = ExecutionAttempt.objects.order_by("id")
        return list(rows.values_list("kind", "number", "outcome"))


def the_issue(approved: Approved, **differences: Any) -> RemoteIssue:
    """What a look-up finds when the lost request had arrived."""
    body = drafts.body(approved.proposal.proposta, approved.execution().marker)
    return dataclasses.replace(echo(412, body), **differences)


def unknown_outcome() -> tuple[Approved, FakeTracker]:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    advance(approved, FakeTracker(creates=[OutcomeUnknownError("lost")]))
    make_due(approved)
    return approved, tracker


def failing_at(where: str, *failures: BaseException) -> FakeTracker:
    """A remote that fails in this order at `paths`, `creates` or `finds`, and is well elsewhere."""
    return FakeTracker(
        paths=failures if where == "paths" else (),
        creates=failures if where == "creates" else (),
        finds=failures if where == "finds" else (),
    )
