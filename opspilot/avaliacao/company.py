"""The two companies of an evaluation, their people, and the secret that one has and the other must
never see."""

from __future__ import annotations

import json
from dataclasses import dataclass
from uuid import UUID

from approvals import policies
from opspilot.bootstrap.datadir import PROJECT
from opspilot.tenancy import selectors
from opspilot.tenancy.models import Tenant, User, tenant_id_of
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import create_tenant, grant_roles

OWN, OTHER = "aurora", "boreal"
SECRET = "canario-boreal-7f3a"  # noqa: S105 - a word that is searched for, it opens nothing
_FIXTURES = PROJECT / "approvals" / "fixtures"


@dataclass(frozen=True, slots=True)
class People:
    tenant_id: UUID
    operador: Principal
    aprovador: Principal
    admin: Principal


def founded(slug: str) -> People:
    """A company with the demonstration's policy and three people, who have no password."""
    tenant = create_tenant(slug=slug, name=slug)
    with tenant_scope(tenant.pk):
        document = json.loads((_FIXTURES / f"{slug}.json").read_text(encoding="utf-8"))
        policies.install(document=document, by="admin 1")
    return People(
        tenant.pk,
        *(_person(tenant, slug, role) for role in (Role.OPERADOR, Role.APROVADOR, Role.ADMIN)),
    )


def _person(tenant: Tenant, slug: str, role: Role) -> Principal:
    user = User.objects.create(username=f"{role}.{slug}", display_name=f"{role} 1")
    with tenant_scope(tenant.pk):
        grant_roles(tenant=tenant, user=user, roles=[role])
    return _member(tenant.pk, slug, role)


def known(slug: str) -> People:
    """A company that was founded before."""
    tenant_id = tenant_id_of(slug)
    return People(
        tenant_id,
        *(_member(tenant_id, slug, role) for role in (Role.OPERADOR, Role.APROVADOR, Role.ADMIN)),
    )


def _member(tenant_id: UUID, slug: str, role: Role) -> Principal:
    user = User.objects.get(username=f"{role}.{slug}")
    with tenant_scope(tenant_id):
        found = selectors.principal(user)
    if found is None:
        raise AssertionError("a person of the evaluation has no role")
    return found
