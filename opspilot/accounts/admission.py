"""Who comes in by the company's provider: their account, and their roles at every login anew."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import transaction

from opspilot.accounts import role_map
from opspilot.accounts.errors import GroupsMissingError, NoRoleError, ProviderSilentError
from opspilot.accounts.security_log import log
from opspilot.tenancy.models import Membership, Tenant, User, tenant_id_of
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import grant_roles

PROVIDER = "empresa"


def admit(*, claims: Mapping[str, Any]) -> SocialAccount:
    """The account of the person the claims name, with exactly the roles their groups give now.

    Nobody without a role comes in, and whoever has lost the last one is out everywhere at once.
    Local accounts are never taken over: not by an equal name, not by an equal e-mail.
    """
    roles = _roles(claims)
    account = SocialAccount.objects.filter(provider=PROVIDER, uid=uid(claims)).first()
    if account is None and not roles:
        log.warning("sso refused", reason="sem_papel", known=False)
        raise NoRoleError
    with transaction.atomic():
        account = account or _new(claims)
        _set_roles(account.user, roles)
    if not roles:
        _end_sessions(account.user)
        log.warning("sso refused", reason="sem_papel", user=account.user.get_username())
        raise NoRoleError
    return account


def uid(claims: Mapping[str, Any]) -> str:
    """A subject is unique inside its issuer only."""
    return hashlib.sha256(f"{claims['iss']}\n{claims['sub']}".encode()).hexdigest()


def _roles(claims: Mapping[str, Any]) -> frozenset[Role]:
    groups = role_map.groups_in(claims, settings.OPSPILOT_OIDC_GROUPS_CLAIM)
    if groups is None:
        log.error("sso refused", reason="grupos_ausentes")
        raise GroupsMissingError
    return role_map.roles_for(groups, role_map.parsed(settings.OPSPILOT_OIDC_ROLE_MAP))


def _new(claims: Mapping[str, Any]) -> SocialAccount:
    mail = claims.get("email") if claims.get("email_verified") is True else ""
    wanted = [claims.get("preferred_username"), claims.get("email"), "pessoa"]
    names = [name for name in wanted if isinstance(name, str)]
    user = User(
        username=get_adapter().generate_unique_username(names),
        display_name=_name(claims),
        email=mail if isinstance(mail, str) else "",
    )
    user.set_unusable_password()
    user.save()
    log.info("sso account made", user=user.get_username())
    return SocialAccount.objects.create(user=user, provider=PROVIDER, uid=uid(claims))


def _name(claims: Mapping[str, Any]) -> str:
    name = claims.get("name")
    printable = "".join(c for c in name if c.isprintable()) if isinstance(name, str) else ""
    return " ".join(printable.split())[:80]


def _set_roles(user: User, roles: frozenset[Role]) -> None:
    tenant_id = tenant_id_of(settings.OPSPILOT_OIDC_TENANT)
    with tenant_scope(tenant_id):
        tenant = Tenant.objects.filter(pk=tenant_id).first()
        if tenant is None:
            log.error("sso refused", reason="OPSPILOT_OIDC_TENANT names no company")
            raise ProviderSilentError
        before = Membership.objects.filter(user=user).values_list("roles", flat=True).first()
    if before is None or set(before) != set(roles):
        grant_roles(tenant=tenant, user=user, roles=roles)
        log.info("sso roles", user=user.get_username(), roles=sorted(roles))


def _end_sessions(user: User) -> None:
    for session in UserSession.objects.filter(user=user):
        session.end()
