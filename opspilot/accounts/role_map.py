"""Which groups of the company's provider give which roles here. Pure but for the settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from opspilot.tenancy.principal import Role

RoleMap = Mapping[str, frozenset[Role]]


def parsed(setting: Any) -> RoleMap:
    """{"group": "role"} or {"group": ["role", …]}. A role we do not have is an error, not ignored."""
    if not isinstance(setting, dict):
        raise ImproperlyConfigured("OPSPILOT_OIDC_ROLE_MAP must be a JSON object")
    return {group: _roles(group, given) for group, given in setting.items()}


def _roles(group: str, given: Any) -> frozenset[Role]:
    names = [given] if isinstance(given, str) else given
    try:
        return frozenset(Role(name) for name in names)
    except (ValueError, TypeError) as exc:
        raise ImproperlyConfigured(
            f"OPSPILOT_OIDC_ROLE_MAP: {group!r} must name roles among {', '.join(Role.values)}"
        ) from exc


def groups_in(claims: Mapping[str, Any], claim: str) -> list[str] | None:
    """The person's groups; None when the claim is absent or is no list of names.

    Absent is not empty: an empty list is the provider saying "none", absence is a fault of set-up.
    """
    found = claims.get(claim)
    if isinstance(found, str):
        return [found] if found else []
    if isinstance(found, list) and all(isinstance(name, str) for name in found):
        return found
    return None


def roles_for(groups: list[str], role_map: RoleMap) -> frozenset[Role]:
    """Names are compared exactly: a group that is almost the right one gives nothing."""
    return frozenset(role for name in groups for role in role_map.get(name, ()))


def check_settings() -> None:
    """With an issuer the other names are needed too; their faults are found at start."""
    if not settings.OPSPILOT_OIDC_ISSUER:
        return
    needed = ("CLIENT_ID", "CLIENT_SECRET", "GROUPS_CLAIM", "TENANT")
    missing = [f"OPSPILOT_OIDC_{n}" for n in needed if not getattr(settings, f"OPSPILOT_OIDC_{n}")]
    if missing:
        raise ImproperlyConfigured(f"OPSPILOT_OIDC_ISSUER is set, so set {', '.join(missing)} too")
    parsed(settings.OPSPILOT_OIDC_ROLE_MAP)
