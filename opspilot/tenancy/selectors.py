"""Reads about people and tenants."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection
from django.db.models import Min

from opspilot.tenancy.models import Membership, MembershipChange, Tenant, User
from opspilot.tenancy.principal import Principal, Role, subject_of
from opspilot.tenancy.scope import current_tenant_id, tenant_scope

# Every request asks this, so it is in our own words: composed by Django it would cost more than it
# does. Whether the company is stopped is asked with it; the rows themselves are read only when there
# are any. That table belongs to a room above this one.
_PRINCIPAL = """
SELECT m.roles, t.name,
       EXISTS (SELECT FROM emergency_stop s
                WHERE s.tenant_id = m.tenant_id
                  AND NOT EXISTS (SELECT FROM emergency_stop_lift l
                                   WHERE l.tenant_id = s.tenant_id AND l.stop_id = s.id))
  FROM membership m JOIN tenant t ON t.id = m.tenant_id
 WHERE m.tenant_id = %s AND m.user_id = %s
"""


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
    tenant_id = current_tenant_id()
    with connection.cursor() as cursor:
        cursor.execute(_PRINCIPAL, [tenant_id, user.pk])
        found = cursor.fetchone()
    if found is None or not user.is_active:
        return None
    roles, tenant_name, stopped = found
    return Principal(
        tenant_id=tenant_id,
        tenant_name=tenant_name,
        user_id=user.pk,
        name=str(user),
        roles=frozenset(Role(role) for role in roles),
        company_stopped=stopped,
    )


def roles_by_subject() -> dict[str, frozenset[Role]]:
    """Everybody's roles now in the scope's tenant, by the subject decisions are written under."""
    rows = Membership.objects.filter(user__is_active=True).values_list("user_id", "roles")
    return {subject_of(user_id): frozenset(Role(r) for r in roles) for user_id, roles in rows}


def roles_now(*, user_id: int) -> frozenset[Role]:
    """The roles as the database has them at this moment; none for somebody deactivated, whatever
    the principal of their request still says."""
    rows = Membership.objects.filter(user_id=user_id, user__is_active=True)
    return frozenset(Role(role) for roles in rows.values_list("roles", flat=True) for role in roles)


def name_of(subject: str) -> str:
    """The name of a person of the scope's tenant, active or not; "" for anybody else."""
    number = subject.rpartition(":")[2]
    if not (number.isascii() and number.isdecimal() and subject == subject_of(int(number))):
        return ""
    found = Membership.objects.select_related("user").filter(user_id=int(number)).first()
    return str(found.user) if found else ""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in the company at a moment: name and roles as they were then."""

    subject: str
    name: str
    roles: frozenset[Role]


def members_now() -> list[Member]:
    """Everybody active who holds a role, by name."""
    rows = Membership.objects.select_related("user").filter(user__is_active=True)
    found = [_member(subject_of(row.user_id), str(row.user), row.roles) for row in rows]
    return sorted((m for m in found if m.roles), key=lambda m: (m.name, m.subject))


def members_at(at: dt.datetime) -> list[Member]:
    """The same as it was at a moment of the past. Empty before `remembered_since`."""
    newest = MembershipChange.objects.filter(at__lte=at).order_by("subject", "-pk")
    rows = [row for row in newest.distinct("subject") if row.active and row.roles]
    found = [_member(row.subject, row.name, row.roles) for row in rows]
    return sorted(found, key=lambda m: (m.name, m.subject))


def remembered_since() -> dt.datetime | None:
    """From when on the company's memberships are known; None where there never was one."""
    first: dt.datetime | None = MembershipChange.objects.aggregate(first=Min("at"))["first"]
    return first


def _member(subject: str, name: str, roles: Sequence[str]) -> Member:
    return Member(subject, name, frozenset(Role(role) for role in roles))
