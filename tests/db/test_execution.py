"""From approval to effect against a scripted remote: once, and exactly as approved."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Any

import pytest
from django.db.models.functions import Now

from approvals import drafts
from approvals.execution import advancing
from approvals.execution.settlement import MAX_TRIES
from approvals.models import Execution, ExecutionState
from opspilot.connectors.errors import (
    NotSentError,
    RefusedByRemoteError,
    ThrottledError,
)
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.executing import (
    advance,
    attempts,
    change,
    failing_at,
    make_due,
    resume,
    trail,
)
from tests.db.races import at_once
from tests.fakes import FakeTracker, echo_with

pytestmark = pytest.mark.usefixtures("committed")


def test_an_approved_action_is_sent_once_exactly_as_approved() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    done = advance(approved, tracker)
    assert (done.state, done.remote["iid"]) == (ExecutionState.CONCLUIDA, 7)
    assert tracker.bodies == [drafts.body(approved.proposal.proposta, done.marker)]
    assert tracker.calls[-1].project_id == 412
    assert attempts(approved) == [("envio", 1, ""), ("resposta", 1, "ok")]


def test_the_effect_s_row_names_who_approved_it() -> None:
    approved = factories.an_approved_execution()
    done = advance(approved, FakeTracker())
    (row,) = trail(approved)
    assert (row.resultado, row.autorizacao) == ("ok", "humana")
    assert row.aprovado_por == approved.approver.signature
    assert row.aprovacao_id == approved.proposal.pk
    assert row.correlacao_id == approved.proposal.correlacao_id
    assert (row.reversivel, row.reversao_ref) == (True, done.remote["url"])


def test_a_finished_execution_is_never_taken_again() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    for _ in range(3):
        advance(approved, tracker)
        make_due(approved)
    assert tracker.count("create") == 1


def test_nothing_is_sent_before_the_hold_ends() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    change(approved, not_before=Now() + dt.timedelta(seconds=30))
    assert advance(approved, tracker).state == ExecutionState.RETIDA
    assert tracker.calls == []


def test_the_hold_of_the_policy_delays_the_first_claim() -> None:
    tenant = factories.a_tenant()
    factories.a_policy(tenant, hold_seconds={"baixo": 40, "medio": 40, "alto": 40})
    by = factories.a_principal(tenant, Role.APROVADOR)
    proposal = factories.approve(factories.a_proposal(tenant), by)
    with tenant_scope(tenant.pk):
        queued = Execution.objects.get(approval=proposal)
    assert queued.not_before - queued.created_at > dt.timedelta(seconds=39)


def test_another_tenant_cannot_advance_an_execution() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    advancing.advance(
        tenant_id=factories.a_tenant().pk, execution_id=approved.execution_id, tracker=tracker
    )
    assert tracker.calls == []


def test_two_workers_at_the_same_instant_send_once() -> None:
    for _ in range(5):
        approved, tracker = factories.an_approved_execution(), FakeTracker()
        outcomes = at_once([partial(advance, approved, tracker)] * 2)
        assert not [o for o in outcomes if isinstance(o, Exception)]
        assert tracker.count("create") == 1
        assert approved.execution().state == ExecutionState.CONCLUIDA


@pytest.mark.parametrize("where", ["paths", "creates"])
def test_what_could_not_be_sent_is_tried_again_with_growing_waits_and_then_waits_for_a_person(
    where: str,
) -> None:
    approved = factories.an_approved_execution()
    tracker = failing_at(where, *[NotSentError("unreachable")] * MAX_TRIES)
    waits = []
    for _ in range(MAX_TRIES - 1):
        row = advance(approved, tracker)
        assert row.state == ExecutionState.RETIDA
        waits.append(round((row.not_before - row.updated_at).total_seconds()))
        make_due(approved)
    assert waits == [5, 10, 20, 40]
    row = advance(approved, tracker)
    assert (row.state, row.reason) == ("bloqueada", "destino_indisponivel_esgotado")
    make_due(approved)
    assert advance(approved, tracker).state == ExecutionState.BLOQUEADA


@pytest.mark.parametrize("where", ["paths", "creates"])
def test_a_person_lets_what_was_never_sent_be_tried_again(where: str) -> None:
    approved = factories.an_approved_execution()
    tracker = failing_at(where, *[NotSentError("unreachable")] * MAX_TRIES)
    for _ in range(MAX_TRIES):
        advance(approved, tracker)
        make_due(approved)
    resume(approved)
    assert advance(approved, tracker).state == ExecutionState.CONCLUIDA
    assert len(trail(approved, "execucao.retomada")) == 1


def test_a_remote_that_says_later_is_obeyed() -> None:
    approved = factories.an_approved_execution()
    row = advance(approved, FakeTracker(creates=[ThrottledError("later", 120.0)]))
    assert (row.state, row.reason) == (ExecutionState.RETIDA, "destino_ocupado")
    assert round((row.not_before - row.updated_at).total_seconds()) == 120


def test_a_project_we_may_not_read_any_more_waits_for_a_person_and_can_be_tried_again() -> None:
    approved = factories.an_approved_execution()
    tracker = failing_at("paths", RefusedByRemoteError("expired token", 401))
    row = advance(approved, tracker)
    assert (row.state, row.reason) == ("bloqueada", "destino_sem_acesso")
    assert tracker.count("create") == 0
    resume(approved)
    assert advance(approved, tracker).state == ExecutionState.CONCLUIDA


def test_a_remote_that_says_no_ends_it() -> None:
    approved = factories.an_approved_execution()
    tracker = failing_at("creates", RefusedByRemoteError("no", 403))
    row = advance(approved, tracker)
    assert (row.state, row.reason) == ("recusada", "destino_recusou_403")
    make_due(approved)
    advance(approved, tracker)
    assert tracker.count("create") <= 1
    assert trail(approved)[-1].resultado == "recusado"


@pytest.mark.parametrize(
    ("difference", "named"),
    [
        ({"labels": frozenset()}, "etiquetas"),
        ({"confidential": True}, "confidencial"),
        ({"description": "A fila"}, "descricao"),
        ({"title": "Outro"}, "titulo"),
        ({"assignee_ids": frozenset({1})}, "responsaveis"),
        ({"state": "closed"}, "estado"),
    ],
)
def test_an_answer_that_differs_from_what_was_approved_is_an_incident(
    difference: dict[str, Any], named: str
) -> None:
    approved = factories.an_approved_execution()
    row = advance(approved, FakeTracker(creates=[echo_with(**difference)]))
    assert (row.state, row.reason) == (ExecutionState.DIVERGENTE, named)
    (written,) = trail(approved)
    assert written.resultado == "erro"
    assert named in (written.erro or "")
