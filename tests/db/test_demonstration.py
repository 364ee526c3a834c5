"""The demonstration is made once: what people changed since is theirs."""

from __future__ import annotations

from typing import Any

import pytest

from approvals import policies
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


def test_roles_given_or_taken_since_survive_the_next_start() -> None:
    seed()
    person = User.objects.get(username="aprovador1.aurora")
    with tenant_scope(TENANT):
        Membership.objects.filter(user=person).update(roles=[str(Role.AUDITOR)])
    seed()
    with tenant_scope(TENANT):
        assert Membership.objects.get(user=person).roles == [str(Role.AUDITOR)]
