"""Writes about tenants and people."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.password_validation import validate_password

from opspilot.tenancy.models import PREFERENCES, Membership, Tenant, User, tenant_id_of
from opspilot.tenancy.preferences import Preferences
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope


def create_tenant(*, slug: str, name: str) -> Tenant:
    """Make the tenant, or return the one that has this slug."""
    tenant_id = tenant_id_of(slug)
    with tenant_scope(tenant_id):
        tenant, _ = Tenant.objects.get_or_create(
            id=tenant_id, defaults={"slug": slug, "name": name}
        )
    return tenant


def create_user(*, username: str, display_name: str, password: str) -> User:
    """Make the person, or return the one who has this user name, unchanged.

    Raises Django's ValidationError for a password that AUTH_PASSWORD_VALIDATORS refuse.
    """
    existing = User.objects.filter(username=username).first()
    if existing is not None:
        return existing
    user = User(username=username, display_name=display_name)
    validate_password(password, user)
    user.set_password(password)
    user.save()
    return user


def grant_roles(*, tenant: Tenant, user: User, roles: Iterable[Role]) -> Membership:
    """Give the person exactly these roles in the tenant."""
    wanted = sorted(str(role) for role in roles)
    with tenant_scope(tenant.pk):
        membership, _ = Membership.objects.update_or_create(
            tenant=tenant, user=user, defaults={"roles": wanted}
        )
    return membership


def save_preferences(*, user: User, preferences: Preferences) -> None:
    for name in PREFERENCES:
        setattr(user, name, getattr(preferences, name))
    user.save(update_fields=PREFERENCES)
