"""Reads about people and tenants."""

from __future__ import annotations

from uuid import UUID

from django.db import connection

from opspilot.tenancy.models import Membership, User
from opspilot.tenancy.principal import Principal, Role


def tenants_of(user_id: int) -> list[UUID]:
    """The tenants a person belongs to, asked before any tenant is set (definer function)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id FROM memberships_of(%s) ORDER BY id", [user_id])
        return [row[0] for row in cursor.fetchall()]


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
