"""The tenant of the current transaction: set in PostgreSQL, mirrored for the code's own checks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import UUID

from django.db import connections, transaction

SETTING = "opspilot.tenant_id"
_CURRENT: ContextVar[UUID | None] = ContextVar("tenant", default=None)


class NoTenantError(RuntimeError):
    """Tenant data was asked for outside a tenant_scope: a fault in the code, never a person's."""


def current_tenant_id() -> UUID:
    """The tenant of the scope this code runs in.

    Raises NoTenantError outside a scope, so that a forgotten scope is loud instead of empty.
    """
    tenant_id = _CURRENT.get()
    if tenant_id is None:
        raise NoTenantError("no tenant_scope is open")
    return tenant_id


def scope_is_open() -> bool:
    """Whether tenant data may be read here: error pages outside a scope must not try."""
    return _CURRENT.get() is not None


@contextmanager
def tenant_scope(tenant_id: UUID, *, using: str = "default") -> Iterator[None]:
    """A transaction in which row level security shows one tenant, and only that one.

    Nested scopes give the outer tenant back on leaving: a released savepoint keeps a SET LOCAL, so
    the previous value is put back by hand; a rolled back one restores it by itself.
    """
    nested = transaction.get_connection(using).in_atomic_block
    with transaction.atomic(using=using):
        previous = _exchange(using, str(tenant_id))
        token = _CURRENT.set(tenant_id)
        try:
            yield
        finally:
            _CURRENT.reset(token)
        # The end of the transaction itself puts a local setting back.
        if nested and not transaction.get_connection(using).needs_rollback:
            _exchange(using, previous)


def _exchange(using: str, value: str) -> str:
    with connections[using].cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(current_setting(%s, true), ''), set_config(%s, %s, true)",
            [SETTING, SETTING, value],
        )
        return str(cursor.fetchone()[0])
