"""Whom the measurements of the trail are about: one company, four customers of known size, people."""

from __future__ import annotations

import uuid
from uuid import UUID

from audit.entities import CUSTOMER
from audit.models import Entity
from opspilot.tenancy import selectors
from opspilot.tenancy.models import Tenant, User, tenant_id_of
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import create_tenant, grant_roles

COMPANY = "medida"
PEOPLE = {
    "bench-auditor": Role.AUDITOR,
    "bench-conformidade": Role.CONFORMIDADE,
    "bench-admin-1": Role.ADMIN,
    "bench-admin-2": Role.ADMIN,
}


def ref(name: str) -> UUID:
    """Of the customer of this size, the same in every process."""
    return uuid.uuid5(uuid.NAMESPACE_OID, name)


SMALL, MIDDLE, LARGE, HUGE = (ref(name) for name in ("small", "middle", "large", "huge"))


def prepare() -> UUID:
    """The company without a row of the trail, its customers and its people, who have no password."""
    tenant = create_tenant(slug=COMPANY, name=COMPANY)
    for name, role in PEOPLE.items():
        user = User.objects.create(username=name, display_name=name)
        grant_roles(tenant=tenant, user=user, roles=[role])
    with tenant_scope(tenant.pk):
        for one in (SMALL, MIDDLE, LARGE, HUGE):
            Entity.objects.create(
                tenant_id=tenant.pk,
                ref=one,
                type=CUSTOMER,
                title="Cliente",
                document_hash=one.hex * 2,
            )
    return tenant.pk


def company() -> UUID:
    return tenant_id_of(COMPANY)


def person(name: str) -> Principal:
    with tenant_scope(company()):
        found = selectors.principal(User.objects.get(username=name))
        if found is None:
            raise AssertionError(f"{name} has no role in {Tenant.objects.get().slug}")
        return found
