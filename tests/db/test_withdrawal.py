"""The hold before the claim: who approved may take the execution back, and only that."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import partial

import pytest
from django.db.models.functions import Now

from approvals.errors import NotDeciderError, NothingToResumeError, NothingToWithdrawError
from approvals.execution import withdrawal
from approvals.models import AgenteAprovacao, Decision, ExecutionState, State
from opspilot.connectors.errors import NotSentError
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.deciding import approver
from tests.db.executing import advance, change, make_due, resume, trail
from tests.db.races import at_once
from tests.factories import Approved
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed")
ROUNDS = 50


def withdraw(approved: Approved, by: Principal | None = None) -> None:
    with tenant_scope(approved.tenant.pk):
        withdrawal.withdraw(proposal=approved.proposal, decider=by or approved.approver)


def hold(approved: Approved) -> None:
    change(approved, not_before=Now() + dt.timedelta(seconds=30))


def test_a_withdrawn_execution_sends_nothing_however_often_it_is_looked_at() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    hold(approved)
    withdraw(approved)
    make_due(approved)
    for _ in range(3):
        assert advance(approved, tracker).state == ExecutionState.RETIRADA
    assert tracker.calls == []


def test_the_decision_stands_and_the_trail_has_one_row_that_names_who_withdrew() -> None:
    approved = factories.an_approved_execution()
    withdraw(approved)
    with tenant_scope(approved.tenant.pk):
        assert Decision.objects.count() == 1
        assert AgenteAprovacao.objects.get(pk=approved.proposal.pk).estado == State.APROVADA
    (row,) = trail(approved, "execucao.retirada")
    assert (row.resultado, row.aprovado_por) == ("recusado", approved.approver.signature)


def test_somebody_who_did_not_approve_withdraws_nothing() -> None:
    approved = factories.an_approved_execution()
    for other in (approved.requester, approver(approved.tenant, Role.ADMIN)):
        with pytest.raises(NotDeciderError):
            withdraw(approved, other)
    assert approved.execution().state == ExecutionState.RETIDA


def test_what_was_claimed_sent_or_already_withdrawn_is_not_withdrawn() -> None:
    done = factories.an_approved_execution()
    advance(done, FakeTracker())
    twice = factories.an_approved_execution()
    withdraw(twice)
    for late in (done, twice):
        before = late.execution().state
        with pytest.raises(NothingToWithdrawError):
            withdraw(late)
        assert late.execution().state == before


def test_a_request_that_never_left_and_waits_for_another_try_can_be_withdrawn() -> None:
    approved = factories.an_approved_execution()
    advance(approved, FakeTracker(creates=[NotSentError("no route")]))
    withdraw(approved)
    make_due(approved)
    assert advance(approved, FakeTracker()).state == ExecutionState.RETIRADA


def test_a_withdrawn_execution_is_not_resumed() -> None:
    approved = factories.an_approved_execution()
    withdraw(approved)
    with pytest.raises(NothingToResumeError):
        resume(approved)
    assert approved.execution().state == ExecutionState.RETIRADA


def test_at_the_instant_of_the_claim_exactly_one_of_claim_and_withdrawal_wins() -> None:
    outcomes = []
    for _ in range(ROUNDS):
        approved, tracker = factories.an_approved_execution(), FakeTracker()
        acts: list[Callable[[], object]] = [
            partial(withdraw, approved),
            partial(advance, approved, tracker),
        ]
        results = at_once(acts)
        withdrawn = not any(isinstance(r, NothingToWithdrawError) for r in results)
        state = approved.execution().state
        outcomes.append((withdrawn, state, tracker.count("create")))
    allowed = {(True, ExecutionState.RETIRADA, 0), (False, ExecutionState.CONCLUIDA, 1)}
    assert set(outcomes) <= allowed
