"""While a remote is being left alone, approved work waits: nothing leaves, and nothing ends."""

from __future__ import annotations

import pytest

from approvals.models import ExecutionState
from opspilot.resilience import breaker, slots
from tests import factories
from tests.db import executing
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed")
TURNS = 8  # more than an execution has attempts


def nothing_goes(monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    """For this process alone: the rows are everybody's."""

    def is_open(connector: str) -> breaker.Admission:
        raise breaker.OpenError(connector, 30.0)

    if why == "open":
        monkeypatch.setattr(breaker, "admit", is_open)
    else:
        monkeypatch.setattr(slots, "take", lambda *_what, **_whose: None)


@pytest.mark.parametrize("why", ["open", "no slot"])
def test_what_was_approved_waits_and_uses_up_no_attempt(
    monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    nothing_goes(monkeypatch, why)
    for _ in range(TURNS):
        executing.make_due(approved)
        assert executing.advance(approved, tracker).state == ExecutionState.RETIDA
    assert tracker.calls == []
    assert executing.attempts(approved) == []


@pytest.mark.parametrize("why", ["open", "no slot"])
def test_what_is_unknown_waits_for_its_look_up(monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    approved, tracker = executing.unknown_outcome()
    before = executing.attempts(approved)
    nothing_goes(monkeypatch, why)
    for _ in range(TURNS):
        executing.make_due(approved)
        now = executing.advance(approved, tracker)
        assert now.state == ExecutionState.DESCONHECIDA
        assert now.next_lookup_at is not None
    assert tracker.calls == []
    assert executing.attempts(approved) == before


def test_once_it_may_go_again_it_is_sent_once(monkeypatch: pytest.MonkeyPatch) -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    with monkeypatch.context() as patched:
        patched.setattr(slots, "take", lambda *_what, **_whose: None)
        executing.make_due(approved)
        executing.advance(approved, tracker)
    executing.make_due(approved)
    assert executing.advance(approved, tracker).state == ExecutionState.CONCLUIDA
    assert tracker.count("create") == 1
