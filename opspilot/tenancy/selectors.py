"""Reads about people and tenants."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import connection

from opspilot.tenancy.models import Membership, Tenant, User
from opspilot.tenancy.principal import Principal, Role, subject_of
from opspilot.tenancy.scope import tenant_scope


def tenants_of(user_id: int) -> list[UUID]:
    """The tenants a person belongs to, asked before any tenant is set (definer function)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id FROM memberships_of(%s) ORDER BY id", [user_id])
        return [row[0] for row in cursor.fetchall()]


def named(tenant_ids: Sequence[UUID]) -> list[Tenant]:
    """These tenants with their names. One scope each: no row is read from the scope of another."""
    found = []
    for tenant_id in tenant_ids:
        with tenant_scope(tenant_id):
            found.append(Tenant.objects.get(pk=tenant_id))
    return found


def principal(user: User) -> Principal | None:
    """The person's principal in the tenant of the open scope, or None without a membership."""
    membership = Membership.objects.select_related("tenant").filter(user_id=user.pk).first()
    if membership is None or not user.is_active:
        return None
    return Principal(
        tenant_id=membership.tenant_id,
        tenant_name=membership.tenant.name,
        user_id=user.pk,
        name=str(user),
        roles=frozenset(Role(role) for role in membership.roles),
    )


def roles_by_subject() -> dict[str, frozenset[Role]]:
    """Everybody's roles now in the scope's tenant, by the subject decisions are written under."""
    rows = Membership.objects.filter(user__is_active=True).values_list("user_id", "roles")
    return {subject_of(user_id): frozenset(Role(r) for r in roles) for user_id, roles in rows}
