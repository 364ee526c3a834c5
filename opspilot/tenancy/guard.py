"""The start-up refusal: the process does not serve with a role that could step over RLS."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured
from django.db import connections

_QUERY = """
SELECT current_user, r.rolsuper, r.rolbypassrls,
       EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE c.relowner = r.oid AND n.nspname = 'public'),
       pg_has_role(current_user, 'opspilot_owner', 'MEMBER')
         OR pg_has_role(current_user, 'opspilot_definer', 'MEMBER')
  FROM pg_roles r WHERE r.rolname = current_user
"""


class UnsafeRoleError(ImproperlyConfigured):
    """DATABASE_URL names a superuser, an owner, or a role that bypasses row level security."""


def refuse_unsafe_role(using: str = "default") -> None:
    """Raise UnsafeRoleError unless the connection's role is a plain runtime role."""
    with connections[using].cursor() as cursor:
        cursor.execute(_QUERY)
        role, superuser, bypass, owns, member = cursor.fetchone()
    faults = {
        "is a superuser": superuser,
        "bypasses row level security": bypass,
        "owns tables": owns,
        "can become the owner or the definer": member,
    }
    found = [fault for fault, present in faults.items() if present]
    if found:
        raise UnsafeRoleError(f"refusing to start: database role {role!r} {', '.join(found)}")
