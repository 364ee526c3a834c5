"""What the holder of a trace may write: under its claim's token, while the lease lasts."""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from audit.files.folders import KEPT
from audit.models import Trace, TraceState
from audit.trace.reading import Place
from opspilot.tenancy import lease

SCHEMA_VERSION = 1
OPEN = (TraceState.QUEUED, TraceState.BUILDING)
MAX_ATTEMPTS = 5  # claims in a row that got no further


class LateError(RuntimeError):
    """Another worker has taken the trace over; nothing is written."""


def take(trace_id: int) -> Trace | None:
    """The trace, now ours, if something of it is due and nobody has it."""
    over = Q(state=TraceState.READY, expires_at__lte=Now())
    due = Trace.objects.filter(
        lease.free(), Q(state__in=OPEN) | over, pk=trace_id, versao_esquema__lte=SCHEMA_VERSION
    )
    trace = lease.claim(due, attempts=F("attempts") + 1)
    if trace is not None:
        trace.attempts += 1
    return trace


def renew(trace: Trace) -> None:
    if not lease.renew(mine(trace)):
        raise LateError(trace.pk)


def advanced(trace: Trace, place: Place, rows: int) -> None:
    """One more part is whole on the disk; it ends at this place."""
    progress: dict[str, Any] = {
        "state": TraceState.BUILDING,
        "parts": trace.parts + 1,
        "rows": trace.rows + rows,
        "place_at": place.at,
        "place_row": place.row,
    }
    if not lease.renew(mine(trace), attempts=0, **progress):
        raise LateError(trace.pk)
    for name, value in progress.items():
        setattr(trace, name, value)


def begun_again(trace: Trace) -> None:
    """The parts do not hold what the trail holds now: they are made from the first row on."""
    start: dict[str, Any] = {"parts": 0, "rows": 0, "place_at": None, "place_row": None}
    _close(trace, **start)


def finished(trace: Trace, *, sha256: str, size: int, is_signed: bool) -> None:
    _close(
        trace,
        state=TraceState.READY,
        sha256=sha256,
        size=size,
        is_signed=is_signed,
        attempts=0,
        ready_at=Now(),
        expires_at=Now() + KEPT,
    )


def failed(trace: Trace, code: str) -> None:
    _close(trace, state=TraceState.FAILED, code=code)


def expired(trace: Trace) -> None:
    _close(trace, state=TraceState.EXPIRED)


def _close(trace: Trace, **values: Any) -> None:
    if not mine(trace).update(**values, **lease.RELEASED):
        raise LateError(trace.pk)


def mine(trace: Trace) -> QuerySet[Trace, Trace]:
    token: uuid.UUID | None = trace.claim_token
    return Trace.objects.filter(pk=trace.pk, claim_token=token)
