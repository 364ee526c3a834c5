"""The attempts of one request, seen from each of them."""

from __future__ import annotations

import pytest

from approvals import proposals
from approvals.inbox import chain
from approvals.models import AgenteAprovacao, Execution
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.deciding import approver, refuse

pytestmark = pytest.mark.usefixtures("committed")


def attempts(proposal: AgenteAprovacao) -> list[tuple[AgenteAprovacao, bool]]:
    with tenant_scope(proposal.tenant_id):
        found = chain.of(AgenteAprovacao.objects.get(pk=proposal.pk))
    return [(item.proposal, item.later) for item in found.attempts]


def asked_again(tenant: Tenant, by: Principal, *, times: int) -> list[AgenteAprovacao]:
    """A request refused and asked again as often as said; every attempt, the last one open."""
    decider = approver(tenant)
    made = [factories.a_proposal(tenant, by=by)]
    for _time in range(times):
        refuse(made[-1], decider)
        made.append(_again(by, made[-1]))
    return made


def _again(by: Principal, before: AgenteAprovacao) -> AgenteAprovacao:
    draft = factories.a_draft(by)
    with tenant_scope(by.tenant_id):
        return proposals.create(
            principal=by,
            draft=draft,
            seen_hash=draft.hash,
            justification="A fila parou e clientes esperam.",
            entity=None,
            evidence=[],
            anterior=AgenteAprovacao.objects.get(pk=before.pk),
        )


def test_each_attempt_sees_the_ones_before_and_after_it_in_order() -> None:
    tenant = factories.a_tenant()
    requester = factories.a_principal(tenant, Role.OPERADOR)
    first, second, third = asked_again(tenant, requester, times=2)
    assert attempts(first) == [(second, True), (third, True)]
    assert attempts(second) == [(first, False), (third, True)]
    assert attempts(third) == [(first, False), (second, False)]


def test_a_request_made_once_has_no_other_attempt() -> None:
    assert attempts(factories.a_proposal(factories.a_tenant())) == []


def test_a_long_chain_is_cut_and_says_so() -> None:
    tenant = factories.a_tenant()
    requester = factories.a_principal(tenant, Role.OPERADOR)
    made = asked_again(tenant, requester, times=chain.FURTHEST + 1)
    with tenant_scope(tenant.pk):
        found = chain.of(made[-1])
    assert len(found.attempts) == chain.FURTHEST
    assert found.cut


def test_the_fate_of_an_attempt_that_was_approved_is_its_effect_s() -> None:
    approved = factories.an_approved_execution()
    with tenant_scope(approved.tenant.pk):
        approved.execution()
        Execution.objects.filter(pk=approved.execution_id).update(
            state="bloqueada", reason="politica_mudou"
        )
    again = _again(approved.requester, approved.proposal)
    with tenant_scope(approved.tenant.pk):
        (attempt,) = chain.of(again).attempts
    assert attempt.execution is not None
    assert attempt.execution.reason == "politica_mudou"
