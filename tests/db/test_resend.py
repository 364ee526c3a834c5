"""A lost request is sent once more by itself only inside the rules, and the first is never forgotten."""

from __future__ import annotations

import datetime as dt

import pytest
from pytest_django import Settings

from approvals.errors import NothingToWithdrawError
from approvals.execution import rollback, withdrawal
from approvals.execution.settlement import LOOKUP_SHARES
from approvals.models import ExecutionAttempt, ExecutionState
from opspilot.connectors.errors import NotSentError, OutcomeUnknownError, RefusedByRemoteError
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db.executing import (
    advance,
    attempts,
    change,
    make_due,
    the_issue,
    trail,
    unknown_outcome,
)
from tests.factories import Approved
from tests.fakes import FakeTracker, echo

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture(autouse=True)
def no_grace(settings: Settings) -> None:
    """Two clean look-ups are enough, however close together."""
    settings.OPSPILOT_GRACE_SECONDS = 0.0


def looked_twice() -> tuple[Approved, FakeTracker]:
    """Unknown, and two look-ups found nothing: the next step is the second request."""
    approved, tracker = unknown_outcome()
    for _ in range(2):
        advance(approved, tracker)
        make_due(approved)
    return approved, tracker


def test_two_clean_look_ups_let_the_same_request_leave_once_more() -> None:
    approved, tracker = looked_twice()
    assert approved.execution().reason == "reenvio_automatico"
    assert advance(approved, tracker).state == ExecutionState.CONCLUIDA
    assert tracker.count("create") == 1
    kinds = [(kind, number) for kind, number, _ in attempts(approved)]
    assert kinds == [
        ("envio", 1), ("resposta", 1), ("busca", 1), ("busca", 2), ("envio", 2), ("resposta", 2),
    ]  # fmt: skip


def test_the_second_request_carries_the_marker_of_the_first() -> None:
    approved = factories.an_approved_execution()
    first = FakeTracker(creates=[OutcomeUnknownError("lost")])
    advance(approved, first)
    second = FakeTracker()
    for _ in range(3):
        make_due(approved)
        advance(approved, second)
    assert first.bodies == second.bodies


def test_look_ups_closer_together_than_the_grace_send_nothing(settings: Settings) -> None:
    settings.OPSPILOT_GRACE_SECONDS = 180.0
    approved, tracker = unknown_outcome()
    for _ in range(len(LOOKUP_SHARES) + 3):
        advance(approved, tracker)
        make_due(approved)
    assert tracker.count("create") == 0
    assert approved.execution().next_lookup_at is None


def test_a_list_that_could_not_be_read_begins_the_count_again() -> None:
    approved, _ = unknown_outcome()
    tracker = FakeTracker(finds=[[], OutcomeUnknownError("down")])
    for _ in range(3):
        row = advance(approved, tracker)
        make_due(approved)
    assert row.state == ExecutionState.DESCONHECIDA
    assert advance(approved, tracker).reason == "reenvio_automatico"


def test_a_second_lost_answer_is_looked_for_and_not_sent_a_third_time() -> None:
    approved, _ = looked_twice()
    tracker = FakeTracker(creates=[OutcomeUnknownError("lost again")])
    for _ in range(len(LOOKUP_SHARES) + 4):
        row = advance(approved, tracker)
        make_due(approved)
    assert (row.state, row.next_lookup_at) == (ExecutionState.DESCONHECIDA, None)
    assert tracker.count("create") == 1


def test_with_a_budget_of_one_nothing_is_sent_again(settings: Settings) -> None:
    settings.OPSPILOT_MAX_SENDS = 1
    approved, tracker = looked_twice()
    advance(approved, tracker)
    assert approved.execution().state == ExecutionState.DESCONHECIDA
    assert tracker.count("create") == 0


def test_the_list_is_read_once_more_right_before_the_second_request() -> None:
    approved, _ = looked_twice()
    late = FakeTracker(finds=[[the_issue(approved)]])
    row = advance(approved, late)
    assert (row.state, row.remote["iid"]) == (ExecutionState.CONCLUIDA, 7)
    assert late.count("create") == 0


def test_a_list_that_does_not_answer_right_before_keeps_the_second_request_back() -> None:
    approved, _ = looked_twice()
    row = advance(approved, FakeTracker(finds=[OutcomeUnknownError("down")]))
    assert (row.state, row.reason) == (ExecutionState.RETIDA, "destino_indisponivel")


def test_a_policy_that_moved_meanwhile_leaves_the_outcome_unknown_and_sends_nothing() -> None:
    approved, tracker = looked_twice()
    factories.a_policy(approved.tenant, projects=factories.projects_with("infra", labels=[]))
    row = advance(approved, tracker)
    assert (row.state, row.reason) == (ExecutionState.DESCONHECIDA, "politica_mudou")
    assert tracker.count("create") == 0
    assert row.next_lookup_at is None


def test_a_deadline_that_passed_meanwhile_leaves_the_outcome_unknown(admin: Connection) -> None:
    approved, tracker = looked_twice()
    admin.execute(
        "UPDATE agente_aprovacao SET executar_ate = clock_timestamp() - interval '1 s' "
        "WHERE id = %s",
        [approved.proposal.pk],
    )
    row = advance(approved, tracker)
    assert (row.state, row.reason) == (ExecutionState.DESCONHECIDA, "prazo_de_execucao_passou")
    assert tracker.count("create") == 0


def test_a_second_request_that_is_refused_says_nothing_of_the_first() -> None:
    approved, _ = looked_twice()
    row = advance(approved, FakeTracker(creates=[RefusedByRemoteError("no", 403)]))
    assert (row.state, row.reason) == (ExecutionState.DESCONHECIDA, "destino_recusou_403")


def test_a_second_request_that_could_never_leave_does_not_end_as_not_done() -> None:
    approved, _ = looked_twice()
    tracker = FakeTracker(creates=[NotSentError("unreachable")] * 5)
    for _ in range(5):
        row = advance(approved, tracker)
        make_due(approved)
    assert (row.state, row.reason) == ("desconhecida", "destino_indisponivel_esgotado")


def test_what_may_have_happened_is_not_withdrawn_while_it_waits_to_be_sent_again() -> None:
    approved, _ = looked_twice()
    with tenant_scope(approved.tenant.pk), pytest.raises(NothingToWithdrawError):
        withdrawal.withdraw(proposal=approved.proposal, decider=approved.approver)


def test_after_a_second_request_the_first_is_looked_for_once_more() -> None:
    approved, tracker = looked_twice()
    done = advance(approved, tracker)
    assert done.next_lookup_at is not None
    make_due(approved)
    row = advance(approved, FakeTracker(finds=[[the_issue(approved)]]))
    assert (row.state, row.next_lookup_at) == (ExecutionState.CONCLUIDA, None)


def test_a_first_request_that_arrives_late_after_all_is_an_incident_with_both_named() -> None:
    approved, tracker = looked_twice()
    advance(approved, tracker)
    make_due(approved)
    both = [the_issue(approved), the_issue(approved, iid=8, id=9008)]
    row = advance(approved, FakeTracker(finds=[both]))
    assert (row.state, row.reason) == (ExecutionState.DIVERGENTE, "duplicada")
    assert (row.remote["iid"], [other["iid"] for other in row.remote["others"]]) == (7, [8])
    assert [r.resultado for r in trail(approved)] == ["desconhecido", "ok", "erro"]


def test_what_was_answered_at_the_first_request_is_not_looked_for_again() -> None:
    approved = factories.an_approved_execution()
    assert advance(approved, FakeTracker()).next_lookup_at is None


def test_a_worker_of_the_release_before_cannot_select_what_is_to_be_sent_again() -> None:
    approved, _ = looked_twice()
    assert approved.execution().versao_esquema == 2
    (found,) = [b for b in rollback.blockers(handler=1) if b.tenant == approved.tenant.slug]
    assert (found.ref, found.features) == (str(approved.proposal.ref), ["reenvio"])


def test_an_interrupted_request_may_be_sent_again_like_a_lost_one(settings: Settings) -> None:
    approved = factories.an_approved_execution()
    change(approved, state=ExecutionState.EM_ENVIO)
    with tenant_scope(approved.tenant.pk):
        row = approved.execution()
        ExecutionAttempt.objects.create(
            tenant_id=row.tenant_id, execution=row, kind="envio", number=1,
            claim_token=approved.tenant.pk,
        )  # fmt: skip
    past = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    change(approved, lease_until=past)
    tracker = FakeTracker()
    for _ in range(4):
        row = advance(approved, tracker)
        make_due(approved)
    assert (row.state, tracker.count("create")) == (ExecutionState.CONCLUIDA, 1)
    assert echo(412, tracker.bodies[0]).title == approved.proposal.proposta["title"]
