"""A claim on a row of work: one token a claim, and a lease that ends by the database's clock.

The row has `claim_token` and `lease_until`. Every write of a holder names its token, so a late
holder changes nothing.
"""

from __future__ import annotations

import datetime as dt
import time
import uuid
from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import Model, Q, QuerySet
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now

from opspilot.tenancy.scope import tenant_scope

Beat = Callable[[], None]
_BEAT = 5.0  # seconds between two renewals
_Row = TypeVar("_Row", bound=Model)
RELEASED: dict[str, Any] = {"claim_token": None, "lease_until": None}


def free() -> Q:
    """Nobody holds the row: not claimed, given up, or its lease has ended."""
    return Q(lease_until__isnull=True) | ended()


def ended() -> Q:
    return Q(lease_until__lt=Now())


def until() -> CombinedExpression:
    """When a lease taken now ends: OPSPILOT_LEASE_SECONDS from the statement's start."""
    return Now() + dt.timedelta(seconds=settings.OPSPILOT_LEASE_SECONDS)


def take(due: QuerySet[Any], *, seen: uuid.UUID | None, **values: Any) -> uuid.UUID | None:
    """Claim the one row of `due`, or None when its token is no longer the one that was seen."""
    token = uuid.uuid4()
    claimed = due.filter(claim_token=seen).update(claim_token=token, lease_until=until(), **values)
    return token if claimed else None


def claim(due: QuerySet[_Row, _Row], **values: Any) -> _Row | None:
    """The row of `due`, now ours and with its token, or None where it is not due or another was faster.

    `values` are written with the claim, and are not on the row that is returned.
    """
    row: Any = due.first()
    if row is None:
        return None
    token = take(due, seen=row.claim_token, **values)
    if token is None:
        return None
    row.claim_token = token
    found: _Row = row
    return found


def renew(mine: QuerySet[Any], **values: Any) -> bool:
    """Extend the holder's lease from now, unless it already ended."""
    return bool(mine.filter(lease_until__gt=Now()).update(lease_until=until(), **values))


def beat(*, tenant_id: uuid.UUID, renew: Callable[[], None]) -> Beat:
    """To be called as often as one likes, with no transaction open, in work that is longer than a lease:
    every few seconds it renews, in a transaction of its own."""
    last = time.monotonic()

    def beat() -> None:
        nonlocal last
        if time.monotonic() - last > _BEAT:
            with tenant_scope(tenant_id):
                renew()
            last = time.monotonic()

    return beat
