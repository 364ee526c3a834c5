"""Lost answers, dead and late workers: looked up, never sent a second time."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import pytest
from pytest_django import Settings

from approvals.errors import NothingToResumeError
from approvals.execution.settlement import LOOKUP_SHARES
from approvals.models import SCHEMA_VERSION, ExecutionAttempt, ExecutionState
from opspilot.connectors.errors import (
    OutcomeUnknownError,
)
from opspilot.connectors.issues import RemoteIssue
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests import factories
from tests.db.executing import (
    KilledError,
    advance,
    attempts,
    change,
    failing_at,
    make_due,
    resume,
    the_issue,
    trail,
    unknown_outcome,
)
from tests.fakes import FakeTracker, echo

pytestmark = pytest.mark.usefixtures("committed")


def test_a_lost_answer_is_unknown_and_not_looked_up_before_the_client_s_own_deadline(
    settings: Settings,
) -> None:
    settings.OPSPILOT_GITLAB_TIMEOUT = 33.0
    approved = factories.an_approved_execution()
    tracker = FakeTracker(creates=[OutcomeUnknownError("lost")])
    row = advance(approved, tracker)
    assert row.state == ExecutionState.DESCONHECIDA
    assert row.next_lookup_at is not None
    assert row.next_lookup_at - row.updated_at > dt.timedelta(seconds=33)
    assert trail(approved)[-1].resultado == "desconhecido"
    advance(approved, tracker)
    assert (tracker.count("find"), tracker.count("create")) == (0, 1)


def test_a_lost_answer_whose_issue_is_found_is_done_without_a_second_create() -> None:
    approved, _ = unknown_outcome()
    tracker = FakeTracker(finds=[[the_issue(approved)]])
    assert advance(approved, tracker).state == ExecutionState.CONCLUIDA
    assert [call.what for call in tracker.calls] == ["find"]
    assert tracker.calls[0].marker == approved.execution().marker
    assert [row.resultado for row in trail(approved)] == ["desconhecido", "ok"]


def test_a_look_up_searches_from_before_the_first_attempt() -> None:
    approved, tracker = unknown_outcome()
    advance(approved, tracker)
    since = tracker.calls[0].since
    assert since is not None
    with tenant_scope(approved.tenant.pk):
        sent_at = ExecutionAttempt.objects.get(kind="envio").at
    assert sent_at - since >= dt.timedelta(minutes=5)


def test_a_lost_answer_that_is_never_found_waits_for_a_person_and_is_never_sent_again() -> None:
    approved, tracker = unknown_outcome()
    for _ in range(len(LOOKUP_SHARES) + 3):
        advance(approved, tracker)
        make_due(approved)
    row = approved.execution()
    assert (row.state, row.next_lookup_at) == (ExecutionState.DESCONHECIDA, None)
    assert tracker.count("find") == len(LOOKUP_SHARES) + 1
    assert tracker.count("create") == 0


def test_a_person_s_resume_of_an_unknown_outcome_searches_and_never_sends() -> None:
    approved, tracker = unknown_outcome()
    for _ in range(len(LOOKUP_SHARES) + 1):
        advance(approved, tracker)
        make_due(approved)
    searched = tracker.count("find")
    resume(approved)
    advance(approved, tracker)
    assert (tracker.count("find"), tracker.count("create")) == (searched + 1, 0)


def test_a_list_that_cannot_be_read_proves_nothing() -> None:
    approved, _ = unknown_outcome()
    tracker = FakeTracker(finds=[OutcomeUnknownError("down")])
    row = advance(approved, tracker)
    assert (row.state, row.reason) == (ExecutionState.DESCONHECIDA, "lista_indisponivel")
    assert row.next_lookup_at is not None
    assert tracker.count("create") == 0


def test_two_issues_with_our_marker_are_an_incident_and_not_a_success() -> None:
    approved, _ = unknown_outcome()
    twice = [the_issue(approved), the_issue(approved, iid=8)]
    row = advance(approved, FakeTracker(finds=[twice]))
    assert (row.state, row.reason) == (ExecutionState.DIVERGENTE, "duplicada")


def test_what_is_done_cannot_be_resumed() -> None:
    approved = factories.an_approved_execution()
    advance(approved, FakeTracker())
    with pytest.raises(NothingToResumeError):
        resume(approved)


def test_a_worker_that_died_after_the_attempt_row_leaves_an_unknown_and_nothing_is_resent() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    with pytest.raises(KilledError):
        advance(approved, failing_at("creates", KilledError()))
    assert approved.execution().state == ExecutionState.EM_ENVIO
    advance(approved, tracker)
    assert tracker.calls == []  # its lease still runs
    make_due(approved)
    row = advance(approved, tracker)
    assert (row.state, row.reason) == (ExecutionState.DESCONHECIDA, "trabalho_interrompido")
    make_due(approved)
    advance(approved, tracker)
    assert (tracker.count("create"), tracker.count("find")) == (0, 1)


def test_a_worker_that_died_before_the_attempt_row_had_sent_nothing() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    with pytest.raises(KilledError):
        advance(approved, failing_at("paths", KilledError()))
    make_due(approved)
    assert advance(approved, tracker).state == ExecutionState.CONCLUIDA
    assert tracker.count("create") == 1


def test_a_worker_that_died_while_it_looked_up_leaves_the_look_up_due() -> None:
    approved, _ = unknown_outcome()
    with pytest.raises(KilledError):
        advance(approved, failing_at("finds", KilledError()))
    make_due(approved)
    tracker = FakeTracker(finds=[[the_issue(approved)]])
    assert advance(approved, tracker).state == ExecutionState.CONCLUIDA


def test_an_answer_that_comes_after_another_took_over_changes_nothing() -> None:
    approved, other = factories.an_approved_execution(), FakeTracker()

    def slow(project_id: int, body: Any) -> RemoteIssue:
        make_due(approved)
        assert advance(approved, other).state == ExecutionState.DESCONHECIDA
        return echo(project_id, body)

    late = FakeTracker(creates=[slow])
    row = advance(approved, late)
    assert (row.state, row.remote) == (ExecutionState.DESCONHECIDA, {})
    assert attempts(approved) == [("envio", 1, ""), ("resposta", 1, "interrompido")]
    assert [r.resultado for r in trail(approved)] == ["desconhecido"]
    assert late.count("create") + other.count("create") == 1


def test_a_worker_that_wakes_after_its_lease_ended_does_not_send() -> None:
    approved, other = factories.an_approved_execution(), FakeTracker()

    class Slow(FakeTracker):
        def project_path(self, project_id: int) -> str:
            make_due(approved)
            advance(approved, other)
            return super().project_path(project_id)

    late = Slow()
    assert advance(approved, late).state == ExecutionState.CONCLUIDA
    assert (late.count("create"), other.count("create")) == (0, 1)


def test_a_row_of_a_newer_rule_is_not_claimed() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    change(approved, versao_esquema=SCHEMA_VERSION + 1)
    row = advance(approved, tracker)
    assert (row.state, row.claim_token, tracker.calls) == (ExecutionState.RETIDA, None, [])


def test_rows_that_cannot_be_claimed_do_not_hide_the_work_behind_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[int] = []
    rows = [(uuid.uuid4(), number) for number in range(50)]
    monkeypatch.setattr(tasks, "due", lambda _kind, limit=tasks.BATCH: rows[:limit])
    monkeypatch.setitem(tasks._DO, "execution", lambda _tenant, row: done.append(row))
    tasks.drain("execution")
    assert done == list(range(50))


def test_a_person_cannot_look_before_the_client_s_own_deadline() -> None:
    approved = factories.an_approved_execution()
    tracker = FakeTracker(creates=[OutcomeUnknownError("lost")])
    advance(approved, tracker)
    with pytest.raises(NothingToResumeError):
        resume(approved)
    advance(approved, tracker)
    assert tracker.count("find") == 0
