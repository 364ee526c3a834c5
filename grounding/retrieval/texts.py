"""Keeps an answer that is being checked and a deletion apart: whoever comes second sees the first."""

from __future__ import annotations

from django.db import connection

from opspilot.tenancy.scope import current_tenant_id

_LOCK = 4104


def hold() -> None:
    """No text of the company is deleted until this transaction ends. What is read from here on and
    written before its end is therefore either gone already, or seen by the deletion that waits."""
    _lock("SELECT pg_advisory_xact_lock_shared(%s, %s)")


def take_away() -> None:
    """Wait for the answers being checked, and keep the next ones waiting until this one commits."""
    _lock("SELECT pg_advisory_xact_lock(%s, %s)")


def _lock(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, [_LOCK, current_tenant_id().int % 2**31])
