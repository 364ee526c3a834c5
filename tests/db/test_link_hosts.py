"""Where a link in an issue may lead: the policy says it, before the text is frozen and before it
leaves."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from approvals import actions, canonical, rules
from approvals.actions import MAX_DESCRIPTION, InvalidCommandError
from approvals.execution import issue_effect
from approvals.models import ExecutionState
from approvals.policy import issue_rules
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.executing import advance
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed")
TEXT = "Veja https://wiki.example/fila e [isto](https://mal.example/x)."
INERT = "Veja https: //wiki.example/fila e [isto] (https: //mal.example/x)."


def home(**rule: object) -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant, **rule)
    return tenant


def test_without_a_list_no_link_leads_out_of_the_project_s_own_gitlab(settings: Settings) -> None:
    settings.OPSPILOT_GITLAB_URL = "https://git.example/raiz"
    own = "https://git.example/raiz/aurora/infra"
    made = factories.a_proposal(home(), description=f"{TEXT} {own}")
    assert made.proposta["description"] == f"{INERT} {own}"


def test_a_listed_host_keeps_its_link_and_the_other_one_is_text() -> None:
    made = factories.a_proposal(home(link_hosts=["wiki.example"]), description=TEXT)
    assert "e [isto] (https: //mal.example/x)" in made.proposta["description"]
    assert "Veja https://wiki.example/fila" in made.proposta["description"]
    assert canonical.is_hash_of(made.proposta, made.acao_hash)


def test_a_title_carries_no_link_elsewhere_either() -> None:
    made = factories.a_proposal(home(), title="Ver https://mal.example/x")
    assert made.proposta["title"] == "Ver https: //mal.example/x"


def test_what_was_approved_under_a_wider_list_does_not_leave_under_a_narrower_one() -> None:
    tenant = home(link_hosts=["wiki.example"])
    requester, approver = (
        factories.a_principal(tenant, role) for role in (Role.OPERADOR, Role.APROVADOR)
    )
    proposal = factories.approve(
        factories.a_proposal(tenant, by=requester, description=TEXT), approver
    )
    with tenant_scope(tenant.pk):
        effect = issue_effect.IssueEffect(FakeTracker())
        assert effect.faults(proposal) == ""
        factories.a_policy(tenant)
        assert effect.faults(proposal) == "link_fora_da_politica"


def test_what_is_inert_leaves_as_it_was_approved() -> None:
    approved, tracker = factories.an_approved_execution(description=TEXT), FakeTracker()
    assert advance(approved, tracker).state == ExecutionState.CONCLUIDA
    assert tracker.bodies[0]["description"].startswith(INERT)


def test_a_text_that_its_blanks_make_too_long_is_refused_by_name() -> None:
    tenant = home()
    link = "http://mal.example "
    command = actions.parse(
        factories.a_command(
            description=(link * (MAX_DESCRIPTION // len(link))).ljust(MAX_DESCRIPTION, "x")
        )
    )
    with tenant_scope(tenant.pk), pytest.raises(InvalidCommandError) as refused:
        actions.unlinked(command, issue_rules.linkable(rules.in_force().document))
    assert refused.value.facts["fields"] == ["description"]
