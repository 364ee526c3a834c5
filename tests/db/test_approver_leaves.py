"""An approver who leaves between the decision and the effect: nothing is sent, nothing vanishes."""

from __future__ import annotations

import pytest

from approvals.models import AgenteAprovacao, Decision, Execution, ExecutionState, State
from opspilot.tenancy.models import User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import lending
from tests.db.executing import advance
from tests.factories import Approved
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed")


def outcome(approved: Approved) -> tuple[str, str, int]:
    """State, reason and how many requests left."""
    tracker = FakeTracker()
    row = advance(approved, tracker)
    return row.state, row.reason, tracker.count("create")


BLOCKED = (ExecutionState.BLOQUEADA, "aprovacao_ausente", 0)


@pytest.mark.parametrize("change", ["deactivated", "role revoked", "left the company"])
def test_the_effect_is_blocked_when_the_approver_could_not_approve_it_any_more(
    change: str,
) -> None:
    approved = factories.an_approved_execution()
    match change:
        case "deactivated":
            lending.deactivate(approved.approver)
        case "role revoked":
            lending.set_roles(approved.tenant, approved.approver, Role.OPERADOR)
        case _:
            lending.send_away(approved.tenant, approved.approver)
    assert outcome(approved) == BLOCKED


def test_the_decision_of_who_left_stays_as_it_was() -> None:
    approved = factories.an_approved_execution()
    lending.deactivate(approved.approver)
    advance(approved, FakeTracker())
    with tenant_scope(approved.tenant.pk):
        proposal = AgenteAprovacao.objects.get(pk=approved.proposal.pk)
        assert Decision.objects.get().subject == approved.approver.subject
    assert proposal.estado == State.APROVADA
    assert proposal.decidida_por == approved.approver.signature


def test_another_role_beside_the_deciding_one_or_another_name_changes_nothing() -> None:
    approved = factories.an_approved_execution()
    lending.set_roles(approved.tenant, approved.approver, Role.APROVADOR, Role.ADMIN)
    User.objects.filter(pk=approved.approver.user_id).update(display_name="outro nome")
    assert outcome(approved)[0] == ExecutionState.CONCLUIDA


def a_delegated_approval() -> tuple[Approved, Principal]:
    """And who lent the power; the delegation is revoked by then."""
    tenant = factories.a_tenant()
    requester = factories.a_principal(tenant, Role.OPERADOR)
    giver = factories.a_principal(tenant, Role.APROVADOR)
    delegate = factories.a_principal(tenant, Role.OPERADOR)
    row = lending.lend(giver, delegate)
    proposal = factories.approve(factories.a_proposal(tenant, by=requester), delegate)
    with tenant_scope(tenant.pk):
        execution = Execution.objects.get(approval=proposal)
    lending.revoke(row, giver)
    return Approved(tenant, requester, delegate, proposal, execution.pk), giver


def test_a_delegation_revoked_after_the_vote_takes_nothing_back() -> None:
    approved, _giver = a_delegated_approval()
    assert outcome(approved)[0] == ExecutionState.CONCLUIDA


@pytest.mark.parametrize("who", ["giver", "delegate"])
def test_a_delegated_vote_falls_when_its_giver_or_its_voter_leaves(who: str) -> None:
    approved, giver = a_delegated_approval()
    lending.deactivate(giver if who == "giver" else approved.approver)
    assert outcome(approved) == BLOCKED
