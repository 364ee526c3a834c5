"""What undoing an issue takes, where the policy says so; else what having it created took."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from approvals import rules
from approvals.drafts import Draft
from approvals.errors import PolicyRefusedError
from approvals.execution import followups
from approvals.models import AgenteAprovacao
from approvals.policy import tester
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.executing import advance
from tests.factories import Approved
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed")
OWN: dict[str, Any] = {
    "requester_roles": ["admin"],
    "approver_role": "conformidade",
    "risk": "alto",
    "quorum": 3,
}


def done() -> Approved:
    approved = factories.an_approved_execution()
    advance(approved, FakeTracker())
    return approved


def undoing(approved: Approved, by: Principal) -> Draft:
    with tenant_scope(approved.tenant.pk):
        return followups.reversal(principal=by, run_id=uuid.uuid4(), proposal=approved.proposal)


def taken(draft: Draft) -> tuple[str, int, str]:
    return draft.outcome.risk, draft.outcome.quorum, draft.outcome.approver_role


def test_without_a_rule_of_its_own_it_takes_what_the_creation_took() -> None:
    approved = done()
    assert taken(undoing(approved, approved.requester)) == ("baixo", 1, "aprovador")


def test_the_policy_s_own_rule_says_risk_votes_and_who_decides() -> None:
    approved = done()
    factories.a_policy(approved.tenant, reversao=OWN)
    admin = factories.a_principal(approved.tenant, Role.ADMIN)
    assert taken(undoing(approved, admin)) == ("alto", 3, "conformidade")


def test_who_is_not_named_may_ask_for_an_issue_and_not_for_its_undoing() -> None:
    approved = done()
    factories.a_policy(approved.tenant, reversao=OWN)
    with pytest.raises(PolicyRefusedError):
        undoing(approved, approved.requester)
    factories.a_draft(approved.requester)


def test_a_rule_that_comes_after_the_reversal_was_asked_for_has_moved_it_and_no_creation() -> None:
    approved = done()
    draft = undoing(approved, approved.requester)
    pending = AgenteAprovacao(
        acao=draft.action["kind"], proposta=draft.action, risco=draft.outcome.risk,
        aprovacoes_exigidas=draft.outcome.quorum, papel_exigido=draft.outcome.approver_role,
        cobertura=None, agente="",
    )  # fmt: skip
    factories.a_policy(approved.tenant, reversao=OWN)
    with tenant_scope(approved.tenant.pk):
        assert rules.moved(pending)
        assert not rules.moved(approved.proposal)


def test_nobody_asks_for_a_closing_through_the_door_of_creations() -> None:
    """The command that the rule is about is read from a stored action alone."""
    tenant = factories.a_tenant()
    factories.a_policy(tenant, reversao=OWN)
    with tenant_scope(tenant.pk):
        asker = tester.Asker(frozenset({Role.OPERADOR}))
        found = tester.test_action(
            asker=asker, action={"kind": "issue.criada", "alias": "infra"}, draft=None
        )
    assert found.allowed
