"""The demonstration is made once: what people changed since is theirs."""

from __future__ import annotations

from typing import Any

import pytest

from approvals import policies, rules
from opspilot.api.models import Agent, AgentToken
from opspilot.operations import demonstration
from opspilot.tenancy.models import Membership, User, tenant_id_of
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope

pytestmark = pytest.mark.usefixtures("committed")
TENANT = tenant_id_of("aurora")


def seed() -> None:
    demonstration.seed(password="uma senha bem comprida 1")


def test_a_policy_put_in_force_by_two_admins_survives_the_next_start() -> None:
    seed()
    with tenant_scope(TENANT):
        changed: dict[str, Any] = dict(policies.version_in_force().document)
        changed["issue_criada"] = changed["issue_criada"] | {"max_assignees": 3}
        policies.install(document=changed, by="teste")
    seed()
    with tenant_scope(TENANT):
        assert policies.version_in_force().document == changed


def test_a_fresh_instance_has_the_seed_s_templates_in_aurora_s_policy() -> None:
    seed()
    with tenant_scope(TENANT):
        tasks = rules.in_force().document.tarefa_executada
    assert tasks is not None
    needed = {
        alias: {name for name, variable in template.variables.items() if variable.required}
        for alias, template in tasks.templates.items()
    }
    assert {"server_name", "server_action"} in needed.values()
    assert {"deploy_service"} in needed.values()


def test_an_instance_that_is_older_than_tasks_keeps_its_policy() -> None:
    seed()
    with tenant_scope(TENANT):
        whole = dict(policies.version_in_force().document)
        older = {name: part for name, part in whole.items() if name != "tarefa_executada"}
        policies.install(document=older, by="teste")
    seed()
    with tenant_scope(TENANT):
        kept = rules.in_force().document.tarefa_executada
        policies.install(document=whole, by="teste")  # the other tests' demonstration is whole
    assert kept is None


def test_a_fresh_instance_has_the_agent_that_aurora_s_policy_names_and_no_token() -> None:
    seed()
    with tenant_scope(TENANT):
        named = {
            slug
            for rule in rules.in_force().document.acoes_externas.values()
            for slug in rule.agents
        }
        assert {agent.slug for agent in Agent.objects.all()} == named
        assert not AgentToken.objects.exists()


def test_roles_given_or_taken_since_survive_the_next_start() -> None:
    seed()
    person = User.objects.get(username="aprovador1.aurora")
    with tenant_scope(TENANT):
        Membership.objects.filter(user=person).update(roles=[str(Role.AUDITOR)])
    seed()
    with tenant_scope(TENANT):
        assert Membership.objects.get(user=person).roles == [str(Role.AUDITOR)]
