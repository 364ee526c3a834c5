"""Checks a company's connectors: in the worker, never in a page.

claim → ask the remote with no transaction open → store. What could not be asked is asked later and
leaves the last result as it is.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models.functions import Now

from opspilot import telemetry
from opspilot.conectores import allowed as allowing
from opspilot.conectores import asking, checks
from opspilot.conectores.allowed import Allowed
from opspilot.conectores.models import Connector, ConnectorCheck
from opspilot.tenancy import lease
from opspilot.tenancy.scope import tenant_scope

NO_ROWS = 0  # in place of a row's id: the company has none yet


class _LostError(Exception):
    """Another worker has taken the row over: what we read is not the news any more."""


def refresh(*, tenant_id: UUID, check_id: int, reader: object | None = None) -> None:
    """Check one connector once, if it is due. Safe to call at any time, by anybody."""
    if check_id == NO_ROWS:
        with tenant_scope(tenant_id):
            checks.make()
        return
    with tenant_scope(tenant_id):
        row, token = _claim(check_id)
        allowed = allowing.in_force() if token else Allowed()
    if row is None or token is None:
        return
    before = _renewing(tenant_id, check_id, token)
    try:
        values = _checked(Connector(row.connector), allowed, tenant_id, reader, before)
    except _LostError:
        return
    with tenant_scope(tenant_id):
        _mine(check_id, token).update(**lease.RELEASED, **values)


def _claim(check_id: int) -> tuple[ConnectorCheck | None, uuid.UUID | None]:
    due = ConnectorCheck.objects.filter(lease.free(), pk=check_id, next_at__lte=Now())
    row = due.first()
    return (row, lease.take(due, seen=row.claim_token)) if row else (None, None)


def _mine(check_id: int, token: uuid.UUID) -> Any:
    return ConnectorCheck.objects.filter(pk=check_id, claim_token=token)


def _renewing(tenant_id: UUID, check_id: int, token: uuid.UUID) -> Callable[[], None]:
    """Before each question: a policy of many projects asks for longer than one lease."""

    def renew() -> None:
        with tenant_scope(tenant_id):
            if not lease.renew(_mine(check_id, token)):
                raise _LostError

    return renew


def _checked(
    connector: Connector,
    allowed: Allowed,
    tenant_id: UUID,
    reader: object | None,
    before: Callable[[], None],
) -> dict[str, Any]:
    """The columns to write."""
    if not asking.is_configured(connector):
        return _news([], worst="", basis="nao_configurado")
    with telemetry.span(connector.value, kind="check"):
        found = asking.check(
            connector=connector,
            allowed=allowed,
            tenant_id=tenant_id,
            reader=reader,
            before=before,
        )
    if found.postponed is not None:
        return {"next_at": Now() + dt.timedelta(seconds=found.postponed)}
    rows = asking.as_rows(found.findings)
    return _news(rows, worst=asking.worst(found.findings), basis=allowed.basis)


def _news(findings: list[dict[str, Any]], *, worst: str, basis: str) -> dict[str, Any]:
    every = settings.OPSPILOT_CHECK_SECONDS
    again = Now() + dt.timedelta(seconds=every) if every > 0 else None
    return {
        "findings": findings,
        "worst": worst,
        "basis": basis,
        "checked_at": Now(),
        "next_at": again,
    }
