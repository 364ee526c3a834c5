"""A remote that fails again and again is left alone, by all processes together.

After OPSPILOT_BREAKER_FAILURES faults in a row the breaker is open: nothing is sent for
OPSPILOT_BREAKER_SECONDS, then exactly one call is let through. Its success closes the breaker, its
fault begins the next wait. Every moment is the database's; each statement is a transaction of its
own, so no lock is held while a call runs.

A closed breaker costs one read by primary key, and a success writes only where faults were counted.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

log = structlog.get_logger(__name__)

_SEEN = "SELECT state = 'open', failures FROM connector_breaker WHERE connector = %(connector)s"
_PROBE = """
UPDATE connector_breaker SET probe_token = %(token)s, updated_at = clock_timestamp(),
       probe_until = clock_timestamp() + make_interval(secs => %(lease)s)
 WHERE connector = %(connector)s AND state = 'open'
   AND opened_at + make_interval(secs => %(wait)s) <= clock_timestamp()
   AND (probe_until IS NULL OR probe_until < clock_timestamp())
RETURNING true
"""
_LEFT = """
SELECT extract(epoch FROM greatest(opened_at + make_interval(secs => %(wait)s), probe_until)
                          - clock_timestamp())::float8
  FROM connector_breaker WHERE connector = %(connector)s AND state = 'open'
"""
# A fault of a call that began before the breaker opened changes nothing.
_FAULT = """
INSERT INTO connector_breaker AS b (connector, state, failures, opened_at, updated_at)
VALUES (%(connector)s, CASE WHEN %(limit)s <= 1 THEN 'open' ELSE 'closed' END, 1,
        CASE WHEN %(limit)s <= 1 THEN clock_timestamp() END, clock_timestamp())
ON CONFLICT (connector) DO UPDATE SET failures = b.failures + 1, updated_at = clock_timestamp(),
       state = CASE WHEN b.failures + 1 >= %(limit)s THEN 'open' ELSE 'closed' END,
       opened_at = CASE WHEN b.failures + 1 >= %(limit)s THEN clock_timestamp() END
 WHERE b.state = 'closed'
RETURNING state
"""
_WELL = """
UPDATE connector_breaker SET failures = 0, updated_at = clock_timestamp()
 WHERE connector = %(connector)s AND state = 'closed' AND failures > 0
"""
# A prober whose lease another one has taken over changes nothing.
_CLOSE = """
UPDATE connector_breaker SET state = 'closed', failures = 0, opened_at = NULL, probe_token = NULL,
       probe_until = NULL, updated_at = clock_timestamp()
 WHERE connector = %(connector)s AND state = 'open' AND probe_token = %(token)s
RETURNING state
"""
_WAIT_AGAIN = """
UPDATE connector_breaker SET opened_at = clock_timestamp(), probe_token = NULL, probe_until = NULL,
       updated_at = clock_timestamp()
 WHERE connector = %(connector)s AND state = 'open' AND probe_token = %(token)s
"""
_GIVE_BACK = """
UPDATE connector_breaker SET probe_token = NULL, probe_until = NULL, updated_at = clock_timestamp()
 WHERE connector = %(connector)s AND state = 'open' AND probe_token = %(token)s
"""


class OpenError(Exception):
    """The remote is being left alone; nothing was sent."""

    def __init__(self, connector: str, retry_after: float) -> None:
        super().__init__(f"{connector} is being left alone")
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Admission:
    """A call that may go: an ordinary one, or with a token the one probe of this wait."""

    connector: str
    failures: int
    probe: uuid.UUID | None = None


@contextmanager
def guard(connector: str, *, verdict: Callable[[Exception | None], bool | None]) -> Iterator[None]:
    """Around one call, with no transaction open. Raises OpenError before anything is sent.

    `verdict` is asked how the remote fared: True well, False at fault, None if the call says
    nothing of it. A probe without a verdict is given back, and another call may be the probe.
    """
    admission = admit(connector)
    try:
        yield
    except Exception as exc:
        account(admission, verdict(exc))
        raise
    except BaseException:
        account(admission, None)
        raise
    account(admission, verdict(None))


def admit(connector: str) -> Admission:
    """Raises OpenError while the remote is being left alone."""
    row = _run(_SEEN, connector)
    is_open, failures = row or (False, 0)
    if not is_open:
        return Admission(connector, failures)
    token = uuid.uuid4()
    if _run(_PROBE, connector, token=token):
        log.info("breaker probes", connector=connector)
        return Admission(connector, failures, probe=token)
    left = _run(_LEFT, connector)
    if left is None:  # closed since we looked
        return Admission(connector, 0)
    # A probe is mostly over long before its lease.
    raise OpenError(connector, max(0.0, min(left[0], settings.OPSPILOT_BREAKER_SECONDS)))


def account(admission: Admission, well: bool | None) -> None:
    """Write down how the call ended, if that changes anything. What cannot be written is logged:
    the caller must hear the remote's answer, not the database's fault."""
    try:
        _account(admission, well)
    except (DatabaseError, InterfaceError):
        log.exception("breaker not written", connector=admission.connector)


def _account(admission: Admission, well: bool | None) -> None:
    if admission.probe is not None:
        _end_probe(admission, well)
    elif well is False:
        row = _run(_FAULT, admission.connector)
        if row == ("open",):
            log.warning("breaker opened", connector=admission.connector)
    elif well and admission.failures:
        _run(_WELL, admission.connector)


def _end_probe(admission: Admission, well: bool | None) -> None:
    statement = {True: _CLOSE, False: _WAIT_AGAIN, None: _GIVE_BACK}[well]
    row = _run(statement, admission.connector, token=admission.probe)
    if row:
        log.warning("breaker closed", connector=admission.connector)


def _run(statement: str, connector: str, **more: Any) -> tuple[Any, ...] | None:
    values: dict[str, Any] = {
        "connector": connector,
        "limit": settings.OPSPILOT_BREAKER_FAILURES,
        "wait": settings.OPSPILOT_BREAKER_SECONDS,
        "lease": settings.OPSPILOT_LEASE_SECONDS,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, values | more)
        row: tuple[Any, ...] | None = cursor.fetchone() if cursor.description else None
    return row
