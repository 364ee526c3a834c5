"""What a person changed at the remote after a lost answer: nothing is sent again over it."""

from __future__ import annotations

import pytest

from approvals.execution.settlement import LOOKUP_SHARES
from approvals.models import ExecutionState
from opspilot.connectors.errors import UnmarkedError
from tests.db.executing import advance, make_due, the_issue, trail, unknown_outcome
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed")
LOOKS = len(LOOKUP_SHARES) + 1


def test_while_an_issue_of_ours_without_a_marker_may_be_the_one_nothing_is_sent_again() -> None:
    approved, _ = unknown_outcome()
    tracker = FakeTracker(finds=[UnmarkedError("which one?")] * LOOKS)
    for _turn in range(LOOKS):
        advance(approved, tracker)
        make_due(approved)
    row = approved.execution()
    assert (row.state, row.reason) == (ExecutionState.DESCONHECIDA, "sem_marcador")
    assert (row.next_lookup_at, tracker.count("create")) == (None, 0)


def test_an_issue_that_is_found_at_another_address_than_approved_is_no_success() -> None:
    approved, _ = unknown_outcome()
    elsewhere = the_issue(approved, url="http://gitlab.example/outro/grupo/-/issues/412")
    row = advance(approved, FakeTracker(finds=[[elsewhere]]))
    assert (row.state, row.reason) == (ExecutionState.DIVERGENTE, "endereco")
    assert row.remote["received"] == {"endereco": "outro/grupo"}
    assert [line.resultado for line in trail(approved)] == ["desconhecido", "erro"]


def test_an_issue_that_is_found_at_the_address_that_was_approved_is_done() -> None:
    approved, _ = unknown_outcome()
    path = approved.proposal.proposta["target"]["project_path"]
    at_home = the_issue(approved, url=f"http://gitlab.example/{path}/-/issues/412")
    assert advance(approved, FakeTracker(finds=[[at_home]])).state == ExecutionState.CONCLUIDA
