"""A holder that comes too late changes nothing, by whichever way it tries to write."""

from __future__ import annotations

import ast
import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from approvals.execution import (
    attempts,
    claims,
    holding,
    repeating,
    searching,
    sending,
    settlement,
)
from approvals.execution.claims import Claim, LateClaimError
from approvals.execution.issue_effect import IssueEffect
from approvals.execution.seen import Printed, Progress, Seen
from approvals.models import Execution, ExecutionAttempt, ExecutionState, TaskOutput
from audit.models import AgenteAcao
from opspilot.tenancy.scope import tenant_scope
from tests.db.executing import change, make_due, take, unknown_outcome
from tests.factories import Approved
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed")
ROOM = Path(claims.__file__).parent
SEEN = Seen({"iid": 7, "id": 9007, "project_id": 412, "url": ""}, [], "issue 7")
ENDED = Progress(False, 0.0, [], "", True, "fim", {"id": 1})

# Every way in which the holder of a claim writes. A function that takes one is here or among READS.
WRITES: dict[str, Callable[[Claim], object]] = {
    "claims.update": lambda claim: claims.update(claim, reason="x"),
    "claims.renew": lambda claim: claims.renew(claim, attempts=9),
    "claims.hold": claims.hold,
    "claims.release": lambda claim: claims.release(claim, state=ExecutionState.CONCLUIDA),
    "attempts.note": lambda claim: attempts.note(claim, kind="busca", number=90),
    "settlement.effect": lambda claim: settlement.effect(claim, SEEN),
    "settlement.confirmed": lambda claim: settlement.confirmed(claim, [SEEN]),
    "settlement.started": lambda claim: settlement.started(claim, SEEN, wait=1.0),
    "settlement.keep_following": lambda claim: settlement.keep_following(claim, wait=1.0),
    "settlement.ended": lambda claim: settlement.ended(claim, ENDED),
    "settlement.refused": lambda claim: settlement.refused(claim, status=403),
    "settlement.blocked": lambda claim: settlement.blocked(claim, reason="x"),
    "settlement.held_back": lambda claim: settlement.held_back(claim, reason="x"),
    "settlement.queued_up": lambda claim: settlement.queued_up(claim, reason="x", wait=1.0),
    "settlement.postponed": lambda claim: settlement.postponed(claim, tries=1, reason="x"),
    "settlement.unknown": lambda claim: settlement.unknown(claim, reason="x", timeout=1.0),
    "settlement.not_found": lambda claim: settlement.not_found(claim, reason="x"),
    "settlement.not_proved": lambda claim: settlement.not_proved(claim, reason="x"),
    "settlement.unreadable": settlement.unreadable,
    "settlement.look_later": lambda claim: settlement.look_later(claim, wait=1.0),
    "settlement.sent_again": settlement.sent_again,
    "repeating.carry_out": repeating.carry_out,
}
# These open transactions of their own, around the network.
STEPS: dict[str, Callable[[Claim, FakeTracker], object]] = {
    "sending.send": lambda claim, fake: sending.send(claim, IssueEffect(fake)),
    "searching.look_up": lambda claim, fake: searching.look_up(claim, IssueEffect(fake)),
    "searching.prove": lambda claim, fake: searching.prove(claim, IssueEffect(fake)),
    "searching.confirm": lambda claim, fake: searching.confirm(claim, IssueEffect(fake)),
}
READS = {
    "claims.check_time",
    "revalidation.fault",
    "revalidation.until",
    # Writes through the above, in the claim's own transaction; `held_back` is its only write.
    "holding.hold_claimed",
    # The trail's row alone, always after a write that names the token.
    "settlement.record",
    # As `look_up`, for what runs on; an issue never does.
    "searching.follow",
}


def test_every_function_that_is_given_a_claim_is_known_here() -> None:
    found = {
        f"{file.stem}.{node.name}"
        for file in ROOM.glob("*.py")
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and _takes(node)
    }
    assert found == WRITES.keys() | STEPS.keys() | READS


def _takes(node: ast.FunctionDef) -> bool:
    return any(
        isinstance(argument.annotation, ast.Name) and argument.annotation.id == "Claim"
        for argument in node.args.args
    )


def test_the_row_of_a_held_execution_is_written_by_its_claim_and_by_nothing_else() -> None:
    """What else updates `execution` is a person's act or about another one's row, each in a
    condition of its own."""
    places = {
        file.stem
        for file in ROOM.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in {"update", "bulk_update", "save"}
        if not _is_of_claims(node)
    }
    assert places == {
        "claims",
        "holding",
        "proving",
        "recovery",
        "repeating",
        "settlement",
        "withdrawal",
    }


def _is_of_claims(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "claims"


@pytest.mark.parametrize("name", WRITES)
def test_a_late_holder_writes_nothing(name: str) -> None:
    approved, late = taken_over()
    before = everything(approved)
    with pytest.raises(LateClaimError), tenant_scope(approved.tenant.pk):
        WRITES[name](late)
    assert everything(approved) == before


@pytest.mark.parametrize("name", STEPS)
def test_a_late_holder_s_step_sends_and_writes_nothing(name: str) -> None:
    approved, late = taken_over()
    before, fake = everything(approved), FakeTracker()
    with pytest.raises(LateClaimError):
        STEPS[name](late, fake)
    assert everything(approved) == before
    assert fake.count("create") == 0


def test_a_late_holder_replaces_nothing_that_a_task_printed() -> None:
    approved, late = taken_over()
    with pytest.raises(LateClaimError):
        searching._keep(late, Printed("running", "tarde", {}, ended=False))
    with tenant_scope(approved.tenant.pk):
        assert not TaskOutput.objects.exists()


def test_a_stopped_process_that_wakes_after_its_lease_begins_no_request() -> None:
    approved, _ = unknown_outcome()
    with tenant_scope(approved.tenant.pk):
        claim = take(execution_id=approved.execution_id)
    assert claim is not None
    claim.ends -= 3_600.0
    with pytest.raises(LateClaimError):
        claims.check_time(claim, seconds=0.0)


def test_a_hindrance_writes_only_for_the_holder() -> None:
    approved, late = taken_over()
    before = everything(approved)
    with tenant_scope(approved.tenant.pk):
        assert holding.hold_claimed(late) is False
    assert everything(approved) == before


def taken_over() -> tuple[Approved, Claim]:
    """A claim whose lease is over, and another worker that has taken its place."""
    approved, _ = unknown_outcome()
    change(approved, proof={"iid": 7})
    with tenant_scope(approved.tenant.pk):
        late = take(execution_id=approved.execution_id)
    change(approved, lease_until=dt.datetime(2026, 1, 1, tzinfo=dt.UTC))
    make_due(approved)
    with tenant_scope(approved.tenant.pk):
        assert take(execution_id=approved.execution_id) is not None
    assert late is not None
    return approved, late


def everything(approved: Approved) -> tuple[Any, ...]:
    with tenant_scope(approved.tenant.pk):
        return (
            list(Execution.objects.order_by("pk").values()),
            ExecutionAttempt.objects.count(),
            AgenteAcao.objects.count(),
        )


def test_the_other_holder_is_not_late() -> None:
    """So that the refusals above say something."""
    approved, _ = unknown_outcome()
    with tenant_scope(approved.tenant.pk):
        claim = take(execution_id=approved.execution_id)
        assert claim is not None
        settlement.not_found(claim, reason="nada_achado")
    assert approved.execution().lookups == 1
