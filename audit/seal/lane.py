"""Seals one company's trail, and once a day checks what was sealed the day before: in the worker.

claim → wait for writers with no transaction open → some windows in a transaction → store. What
keeps it from sealing is noted where the page and the dashboard read it, and breaks nothing else.
"""

from __future__ import annotations

import datetime as dt
import time
import uuid
from uuid import UUID

import structlog
from django.db.models.functions import Now

from audit.models import SealFault, TrailVerification, TrailWatch
from audit.seal import closing, heads, sealing, verify
from audit.seal.keys import BadKeyError, NoKeyError, Signer, ring
from audit.seal.windows import Tally, Window
from opspilot.tenancy import clock, lease
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
NO_ROWS = 0  # in place of a row's id: the company has none yet
DAY = dt.timedelta(days=1)
# Seconds of sealing at a time: others wait for their turn, and a lease is not for ever.
_TURN = 20.0
_AGAIN = dt.timedelta(seconds=2)
_RETRY = dt.timedelta(minutes=10)
_SOON = dt.timedelta(seconds=30)


def advance(*, tenant_id: UUID, watch_id: int) -> None:
    """Seal what is closed, if it is time. Safe to call at any time, by anybody."""
    if watch_id == NO_ROWS:
        with tenant_scope(tenant_id):
            TrailWatch.objects.get_or_create(tenant_id=tenant_id)
        return
    token = _claim(tenant_id, watch_id)
    if token is None:
        return
    fault, pause = _work(tenant_id)
    with tenant_scope(tenant_id):
        TrailWatch.objects.filter(pk=watch_id, claim_token=token).update(
            fault=fault, looked_at=Now(), next_at=Now() + pause, **lease.RELEASED
        )


def _claim(tenant_id: UUID, watch_id: int) -> uuid.UUID | None:
    with tenant_scope(tenant_id):
        due = TrailWatch.objects.filter(lease.free(), pk=watch_id, next_at__lte=Now())
        row = lease.claim(due)
        return row.claim_token if row else None


def _work(tenant_id: UUID) -> tuple[str, dt.timedelta]:
    """What kept it from sealing, if anything did, and how long until the next look."""
    try:
        if _seal(tenant_id, ring()):
            _verify_yesterday(tenant_id)
            return "", _until_next_hour(clock.now())
    except NoKeyError:
        log.error("the trail is not sealed: OPSPILOT_SEAL_KEY_FILE is not set")
        return SealFault.NO_KEY, _RETRY
    except BadKeyError:
        log.error("the trail is not sealed: OPSPILOT_SEAL_KEY_FILE holds no Ed25519 key in PEM")
        return SealFault.BAD_KEY, _RETRY
    except sealing.BadSealError:
        log.error("the trail is not sealed: its newest seal is by no known key")
        return SealFault.BAD_SEAL, _RETRY
    except closing.OpenWriterError:
        log.warning("the trail is not sealed yet: a transaction that writes it stays open")
        return SealFault.OPEN_WRITER, _SOON
    return "", _AGAIN


def _seal(tenant_id: UUID, signers: tuple[Signer, ...]) -> bool:
    """Whether all that is closed is sealed now; else the turn was over."""
    until = closing.closed_until()
    deadline = time.monotonic() + _TURN
    while time.monotonic() < deadline:
        with tenant_scope(tenant_id):
            if not sealing.seal_closed(until=until, ring=signers):
                return True
    return False


def _verify_yesterday(tenant_id: UUID) -> None:
    """Once a UTC day, and the result is kept: also that there was nothing to check."""
    # Not before the day's last hour counts as closed: it has just been sealed then.
    midnight = closing.hour_of(clock.now() - closing.MARGIN).replace(hour=0)
    with tenant_scope(tenant_id):
        if TrailVerification.objects.filter(until_at=midnight).exists():
            return
    tally = verify.verify_span(tenant_id, since=midnight - DAY, until=midnight)
    with tenant_scope(tenant_id):
        gone = heads.lost()
    if gone is not None:
        tally.add(gone)
    if not tally.is_good:
        log.error("the trail is not as it was sealed", bad=len(tally.bad), state=tally.bad[0].state)
    with tenant_scope(tenant_id):
        _keep(tenant_id, midnight, tally)


def _keep(tenant_id: UUID, midnight: dt.datetime, tally: Tally) -> None:
    head = heads.newest()
    TrailVerification.objects.create(
        tenant_id=tenant_id,
        from_at=midnight - DAY,
        until_at=midnight,
        windows=tally.total,
        rows=tally.rows,
        good=tally.is_good,
        first_bad=_noted(tally.bad[0]) if tally.bad else {},
        head_number=head.number if head else None,
        head_hash=head.hash if head else "",
    )


def _noted(window: Window) -> dict[str, str | int | None]:
    return {
        "number": window.number,
        "until": window.until_at.isoformat() if window.until_at else None,
        "state": window.state.value,
        "reason": window.reason.value if window.reason else None,
    }


def _until_next_hour(now: dt.datetime) -> dt.timedelta:
    """The next full hour is closed a margin after it ended; a little more, so that it surely is."""
    return closing.hour_of(now) + closing.HOUR + closing.MARGIN + _AGAIN - now
