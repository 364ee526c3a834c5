"""Proofs of every kind of effect that went as it should: nothing in them is red."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from approvals.execution import followups
from opspilot.connectors.errors import OutcomeUnknownError
from opspilot.tenancy.principal import Role
from tests import factories
from tests.db import agents_asking as agents
from tests.db import lending
from tests.db.executing import advance, make_due, the_issue, unknown_outcome
from tests.db.proving_effects import an_effect, lines_of, red_of
from tests.db.task_runner import FakeRunner, recap_of
from tests.db.tasking import an_approved_task
from tests.db.test_followups import ask, decided, given_up
from tests.db.test_task_effect import HOST, Task
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed")


def test_a_task_that_ran_where_it_should() -> None:
    tenant = factories.a_tenant()
    requester = factories.a_principal(tenant, Role.OPERADOR)
    task, runner = Task(tenant, an_approved_task(tenant, requester)), FakeRunner()
    task.step(runner)
    runner.ends("success", recap_of(HOST))
    task.step(runner)
    lines = lines_of(task.proposal())
    assert {name for name, line in lines.items() if line.state == "red"} == set()
    assert (lines["corpo"].code, lines["destino"].code) == ("body_same", "done")


def test_a_reversal_and_what_it_reversed() -> None:
    approved = an_effect()
    reversal = decided(
        approved, ask(approved, approved.requester, followups.reversal), approved.approver
    )
    advance(reversal, FakeTracker())
    assert lines_of(reversal.proposal)["corpo"].code == "body_same"
    assert red_of(reversal) == {}
    assert red_of(approved) == {}


def test_a_second_request_after_two_searches(settings: Settings) -> None:
    settings.OPSPILOT_GRACE_SECONDS = 0.0
    approved, tracker = unknown_outcome()
    for _ in range(3):
        advance(approved, tracker)
        make_due(approved)
    assert lines_of(approved.proposal)["uma_vez"].code == "sent_again"
    assert red_of(approved) == {}


def test_a_second_request_that_two_people_let_leave() -> None:
    approved = given_up()
    repeat = decided(
        approved, ask(approved, approved.requester, followups.resend), approved.approver
    )
    for one in (repeat, approved):
        advance(one, FakeTracker())
    assert lines_of(approved.proposal)["uma_vez"].code == "sent_again"
    assert lines_of(repeat.proposal)["destino"].code == "sent_by_another"
    assert (red_of(approved), red_of(repeat)) == ({}, {})


def test_an_issue_that_is_found_right_before_a_second_request(settings: Settings) -> None:
    settings.OPSPILOT_GRACE_SECONDS = 0.0
    approved, tracker = unknown_outcome()
    for _ in range(2):
        advance(approved, tracker)
        make_due(approved)
    advance(approved, FakeTracker(finds=[[the_issue(approved)]]))
    assert lines_of(approved.proposal)["destino"].code == "done_unwitnessed"
    assert red_of(approved) == {}


def test_an_issue_that_a_search_found() -> None:
    approved = factories.an_approved_execution()
    advance(approved, FakeTracker(creates=[OutcomeUnknownError("lost")]))
    make_due(approved)
    advance(approved, FakeTracker(finds=[[the_issue(approved)]]))
    assert lines_of(approved.proposal)["destino"].code == "done"
    assert red_of(approved) == {}


def test_what_an_agent_carried_out_is_its_own_word() -> None:
    scene = agents.a_scene()
    proposal = agents.approved(scene)
    agents.consume(scene, proposal)
    lines = lines_of(proposal)
    assert (lines["destino"].state, lines["corpo"].code) == ("unknown", "by_an_agent")
    assert "red" not in {line.state for line in lines.values()}


def test_what_a_rule_approved_names_no_person() -> None:
    scene = agents.a_scene()
    lines = lines_of(agents.a_proposal(scene, agents.SORTED, classe="a"))
    assert (lines["papel"].state, lines["quorum"].state) == ("none", "ok")
    assert "red" not in {line.state for line in lines.values()}


def test_a_vote_by_delegation_is_judged_by_whose_it_is() -> None:
    tenant = factories.a_tenant()
    away = factories.a_principal(tenant, Role.APROVADOR)
    present = factories.a_principal(tenant, Role.OPERADOR)
    proposal = factories.a_proposal(tenant)
    lending.lend(away, present)
    factories.approve(proposal, present)
    lines = lines_of(proposal)
    assert f"por delegação de {away.name}" in lines["outra_pessoa"].values["who"]
    assert "red" not in {line.state for line in lines.values()}
