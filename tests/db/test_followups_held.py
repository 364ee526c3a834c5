"""What a proposal about another one rests on is asked again until its effect: who stands behind the
first one, whether the second approval still holds, and whether there is anything left to undo."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import DatabaseError
from psycopg.errors import LockNotAvailable
from pytest_django import Settings

from approvals import actions, decisions, drafts, proposals
from approvals.actions import AgentFacts
from approvals.deciders.access_errors import AgentOwnerError, FirstRequesterError
from approvals.errors import NothingToWithdrawError
from approvals.execution import followups, withdrawal
from approvals.models import AgenteAprovacao, Decision, Execution, ExecutionState, Verdict
from opspilot.api.models import Agent
from opspilot.connectors.errors import OutcomeUnknownError
from opspilot.tenancy import lease
from opspilot.tenancy.models import Membership, Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests import factories
from tests.agents import an_agent
from tests.conftest import Connection
from tests.db import agents_asking
from tests.db.browsing import as_
from tests.db.executing import advance, change, make_due, the_issue, unknown_outcome
from tests.db.test_followups import WHY, ask, decided, done, given_up
from tests.factories import Approved
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed")


def lost(tenant: Tenant, proposal: AgenteAprovacao, by: Principal) -> Approved:
    """Approved, sent, and nobody knows; the system looks no more."""
    proposal = factories.approve(proposal, by)
    with tenant_scope(tenant.pk):
        queued = Execution.objects.get(approval=proposal)
    approved = Approved(tenant, by, by, proposal, queued.pk)
    advance(approved, FakeTracker(creates=[OutcomeUnknownError("lost")]))
    change(approved, lookups=6, next_lookup_at=None)
    return approved


def both_roles(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR, Role.APROVADOR)


def released() -> tuple[Approved, Approved]:
    """The original, in the queue again, and the resend that another approval let go."""
    approved = given_up()
    made = ask(approved, approved.requester, followups.resend)
    repeat = decided(approved, made, approved.approver)
    advance(repeat, FakeTracker())
    return approved, repeat


def asked_first() -> tuple[AgenteAprovacao, Principal]:
    """A resend that a third person asked for, and who asked for the original."""
    tenant = factories.a_tenant()
    first = both_roles(tenant)
    proposal = factories.a_proposal(tenant, by=first)
    approved = lost(tenant, proposal, factories.a_principal(tenant, Role.APROVADOR))
    return ask(approved, factories.a_principal(tenant, Role.OPERADOR), followups.resend), first


def of_an_agent() -> tuple[Approved, Principal]:
    """What an agent asked for, and the agent's owner, who may decide by their roles."""
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    owner = both_roles(tenant)
    with tenant_scope(tenant.pk):
        agent = agents_asking.an_agent(tenant, owner)
        command = actions.parse(factories.a_command())
        draft = drafts.prepare(principal=agent, run_id=uuid.uuid4(), command=command, coverage=None)
        proposal = proposals.create(
            principal=agent,
            draft=draft,
            seen_hash=draft.hash,
            justification=WHY,
            entity=None,
            evidence=[],
            agent=AgentFacts(slug="agente-a", owner=owner.subject),
        )
    return lost(tenant, proposal, factories.a_principal(tenant, Role.APROVADOR)), owner


def test_who_asked_for_the_original_does_not_approve_that_it_is_sent_again() -> None:
    made, first = asked_first()
    with pytest.raises(FirstRequesterError):
        factories.approve(made, first)
    assert made.agente_barrados == [first.subject]


def test_the_database_refuses_the_vote_of_who_asked_for_the_original() -> None:
    made, first = asked_first()
    with tenant_scope(made.tenant_id), pytest.raises(DatabaseError, match="does not decide"):
        cast_vote(made, first)


def test_a_resend_that_was_made_before_names_nobody_and_bars_them_all_the_same(
    admin: Connection,
) -> None:
    made, first = asked_first()
    unnamed(admin, made)
    with pytest.raises(FirstRequesterError):
        factories.approve(made, first)


def test_the_page_says_why_who_asked_for_the_original_does_not_decide() -> None:
    made, first = asked_first()
    page = as_(first).read(f"/aprovacoes/{made.ref}/")
    assert "Você pediu a ação que seria enviada de novo: outra pessoa decide." in page


def test_the_owner_of_the_agent_that_asked_does_not_approve_a_resend() -> None:
    approved, owner = of_an_agent()
    made = ask(approved, factories.a_principal(approved.tenant, Role.OPERADOR), followups.resend)
    with pytest.raises(AgentOwnerError):
        factories.approve(made, owner)


def test_the_owner_of_the_agent_that_asked_does_not_approve_a_reversal() -> None:
    approved, owner = of_an_agent()
    change(approved, state=ExecutionState.CONCLUIDA, remote={"iid": 7, "id": 7, "url": ""})
    by = factories.a_principal(approved.tenant, Role.OPERADOR)
    made = ask(approved, by, followups.reversal)
    with pytest.raises(AgentOwnerError):
        factories.approve(made, owner)


def test_who_came_to_own_the_agent_after_the_resend_is_barred_by_the_database() -> None:
    approved, owner = of_an_agent()
    agent = an_agent(approved.tenant, owner=owner, slug=approved.proposal.agente)
    made = ask(approved, factories.a_principal(approved.tenant, Role.OPERADOR), followups.resend)
    newer = factories.a_principal(approved.tenant, Role.APROVADOR)
    with tenant_scope(approved.tenant.pk):
        Agent.objects.filter(pk=agent.pk).update(owner_id=newer.user_id)
        with pytest.raises(DatabaseError, match="owner of the first agent does not decide"):
            cast_vote(made, newer)


def cast_vote(made: AgenteAprovacao, by: Principal) -> None:
    """Past the code that asks before the database does."""
    Decision.objects.create(
        tenant_id=made.tenant_id,
        approval=made,
        subject=by.subject,
        subject_name=by.name,
        verdict=Verdict.APROVAR,
        seen_hash=made.acao_hash,
    )


def test_who_asked_for_an_issue_may_approve_that_it_is_closed() -> None:
    tenant = factories.a_tenant()
    first = both_roles(tenant)
    proposal = factories.a_proposal(tenant, by=first)
    approved = lost(tenant, proposal, factories.a_principal(tenant, Role.APROVADOR))
    change(approved, state=ExecutionState.CONCLUIDA, remote={"iid": 7, "id": 7, "url": ""})
    made = ask(approved, factories.a_principal(tenant, Role.OPERADOR), followups.reversal)
    with tenant_scope(tenant.pk):
        assert decisions.standing(principal=first, proposal=made) == "may_decide"


def test_a_resend_does_not_outlive_its_approval() -> None:
    approved = given_up()
    made = ask(approved, approved.requester, followups.resend)
    second = factories.a_principal(approved.tenant, Role.APROVADOR)
    advance(decided(approved, made, second), FakeTracker())
    with tenant_scope(approved.tenant.pk):
        Membership.objects.filter(user_id=second.user_id).update(roles=[str(Role.OPERADOR)])
    tracker = FakeTracker()
    row = advance(approved, tracker)
    assert (row.state, row.reason) == (ExecutionState.DESCONHECIDA, "aprovacao_ausente")
    assert tracker.count("create") == 0


def test_who_approved_a_resend_withdraws_it_before_it_leaves() -> None:
    approved, repeat = released()
    page = as_(approved.approver).read(f"/aprovacoes/{repeat.proposal.ref}/")
    assert f"/aprovacoes/{repeat.proposal.ref}/retirar/" in page
    take_back(approved, repeat)
    row = approved.execution()
    assert (row.state, row.reason) == (ExecutionState.DESCONHECIDA, "reenvio_retirado")
    assert (row.next_lookup_at, row.resend_until) == (None, None)
    assert repeat.execution().state == ExecutionState.RETIRADA
    tracker = FakeTracker()
    advance(approved, tracker)
    assert tracker.calls == []


def test_a_resend_that_has_left_is_not_withdrawn() -> None:
    approved, repeat = released()
    advance(approved, FakeTracker())
    with pytest.raises(NothingToWithdrawError):
        take_back(approved, repeat)
    assert approved.execution().state == ExecutionState.CONCLUIDA


def test_what_was_undone_meanwhile_is_not_closed() -> None:
    approved = done()
    made = ask(approved, approved.requester, followups.reversal)
    reversal = decided(approved, made, approved.approver)
    change(approved, state=ExecutionState.REVERTIDA)
    tracker = FakeTracker()
    row = advance(reversal, tracker)
    assert (row.state, row.reason) == (ExecutionState.BLOQUEADA, "ja_revertida")
    assert tracker.count("close") == 0


def test_nobody_points_at_anything_between_reading_and_claiming(
    monkeypatch: pytest.MonkeyPatch, admin: Connection
) -> None:
    """What a person points at waits for the claim, and is not lost under what was read before it."""
    approved, _ = unknown_outcome()
    take = lease.take

    def after_a_person_tried(due: Any, **values: Any) -> uuid.UUID | None:
        with pytest.raises(LockNotAvailable):
            admin.execute(
                "SELECT id FROM execution WHERE id = %s FOR UPDATE NOWAIT", [approved.execution_id]
            )
        return take(due, **values)

    monkeypatch.setattr(lease, "take", after_a_person_tried)
    advance(approved, FakeTracker())


def test_a_reversal_keeps_the_look_for_one_that_arrives_late() -> None:
    approved, _repeat = released()
    advance(approved, FakeTracker())
    assert approved.execution().next_lookup_at
    made = ask(approved, approved.requester, followups.reversal)
    advance(decided(approved, made, approved.approver), FakeTracker())
    row = approved.execution()
    assert (row.state, row.next_lookup_at is None) == (ExecutionState.REVERTIDA, False)
    make_due(approved)
    assert (approved.tenant.pk, approved.execution_id) in tasks.due("execution", 100_000)


@pytest.mark.parametrize(
    ("late", "state"), [(False, ExecutionState.REVERTIDA), (True, ExecutionState.DIVERGENTE)]
)
def test_after_a_reversal_the_look_ends_in_what_is_there(late: bool, state: ExecutionState) -> None:
    approved, _repeat = released()
    advance(approved, FakeTracker())
    change(approved, state=ExecutionState.REVERTIDA)
    make_due(approved)
    own = the_issue(approved, id=approved.execution().remote["id"])
    other = the_issue(approved, id=own.id + 1, iid=own.iid + 1)
    row = advance(approved, FakeTracker(finds=[[own, other] if late else [own]]))
    assert (row.state, row.next_lookup_at) == (state, None)


def test_a_larger_budget_lets_no_other_follow_an_approved_resend(settings: Settings) -> None:
    settings.OPSPILOT_GRACE_SECONDS = 0.0
    settings.OPSPILOT_MAX_SENDS = 5
    approved, _repeat = released()
    change(approved, lookups=0)
    tracker = FakeTracker(creates=[OutcomeUnknownError("lost again")])
    for _ in range(9):
        row = advance(approved, tracker)
        make_due(approved)
    assert (row.state, row.next_lookup_at) == (ExecutionState.DESCONHECIDA, None)
    assert tracker.count("create") == 1


def take_back(approved: Approved, repeat: Approved) -> None:
    with tenant_scope(approved.tenant.pk):
        withdrawal.withdraw(proposal=repeat.proposal, decider=approved.approver)


def unnamed(admin: Connection, made: AgenteAprovacao) -> None:
    admin.execute("UPDATE agente_aprovacao SET agente_barrados = '{}' WHERE id = %s", [made.pk])
    with tenant_scope(made.tenant_id):
        made.refresh_from_db()
