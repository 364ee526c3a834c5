"""Two people, or one twice, at the same instant: one outcome, and nobody left guessing."""

from __future__ import annotations

import uuid
from functools import partial

from approvals import proposals
from approvals.errors import AlreadyDecidedError, AlreadyProposedError
from approvals.models import AgenteAprovacao, Decision, Execution, State
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.deciding import (
    approver,
    refuse,
)
from tests.db.races import at_once


def test_two_people_at_the_same_instant_make_one_decision_and_the_loser_is_told_who(
    committed: None,
) -> None:
    for tenant in [factories.a_tenant() for _ in range(5)]:
        proposal = factories.a_proposal(tenant)
        outcomes = at_once([
            partial(factories.approve, proposal, approver(tenant)),
            partial(refuse, proposal, approver(tenant)),
        ])  # fmt: skip
        (lost,) = [o for o in outcomes if isinstance(o, AlreadyDecidedError)]
        (won,) = [o for o in outcomes if isinstance(o, AgenteAprovacao)]
        assert won.decidida_por is not None
        assert won.decidida_por in lost.sentence
        with tenant_scope(tenant.pk):
            assert Decision.objects.count() == 1
            assert Execution.objects.count() == (won.estado == State.APROVADA)


def test_the_last_two_votes_of_a_quorum_at_the_same_instant_complete_it_once(
    committed: None,
) -> None:
    for tenant in [factories.a_tenant() for _ in range(5)]:
        proposal = factories.a_proposal(tenant, alias="nucleo", labels=(), assignees=())
        outcomes = at_once([
            partial(factories.approve, proposal, approver(tenant)),
            partial(factories.approve, proposal, approver(tenant)),
        ])  # fmt: skip
        assert all(isinstance(o, AgenteAprovacao) for o in outcomes), outcomes
        with tenant_scope(tenant.pk):
            assert AgenteAprovacao.objects.get(pk=proposal.pk).estado == State.APROVADA
            assert Execution.objects.count() == 1


def test_one_person_who_clicks_twice_at_once_decides_once(committed: None) -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    by = approver(tenant)
    outcomes = at_once([partial(factories.approve, proposal, by)] * 2)
    assert sum(isinstance(o, AlreadyDecidedError) for o in outcomes) == 1
    with tenant_scope(tenant.pk):
        assert (Decision.objects.count(), Execution.objects.count()) == (1, 1)


def test_two_clicks_on_confirm_make_one_proposal_and_the_second_is_told_so(committed: None) -> None:
    tenant = factories.a_tenant()
    requester = factories.a_principal(tenant, Role.OPERADOR)
    run_id = uuid.uuid4()
    with tenant_scope(tenant.pk):
        factories.a_policy(tenant)
        draft = factories.a_draft(requester, run_id=run_id)

    def confirm() -> object:
        with tenant_scope(tenant.pk):
            return proposals.create(
                principal=requester,
                draft=draft,
                seen_hash=draft.hash,
                justification="um motivo bem escrito",
                entity=None,
                evidence=[],
            )

    outcomes = at_once([confirm, confirm])
    refused = [o for o in outcomes if isinstance(o, AlreadyProposedError)]
    made = [o for o in outcomes if isinstance(o, AgenteAprovacao)]
    assert (len(made), len(refused)) == (1, 1)
