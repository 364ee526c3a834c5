"""Around every call of a remote: a slot for the company, the connector's breaker, the call, the account.

    with guarded("gitlab", tenant_id=tenant_id):
        issue = tracker.create(project_id, body)

What is refused here has not left: PostponedError says after how many seconds to try again, and
counts as no attempt. A connector that is down costs time and ends nothing as failed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import connection

from opspilot.connectors.errors import (
    BreakerOpenError,
    ConnectorError,
    NoSlotError,
    NotAllowedError,
    NotSentError,
    PostponedError,
    RemoteFaultError,
    ThrottledError,
    UnavailableError,
)
from opspilot.resilience import breaker, slots

SOONEST = 1.0  # seconds: never ask for a new try sooner
_FAULTS = (NotSentError, ThrottledError, UnavailableError, RemoteFaultError)
_SAYS_NOTHING = (PostponedError, NotAllowedError)


@contextmanager
def guarded(connector: str, *, tenant_id: UUID | None = None) -> Iterator[None]:
    """For one step with the remote, no longer than a lease; also a decorator.

    Raises NoSlotError and BreakerOpenError before anything is sent, RuntimeError inside a
    transaction: that one would be open for as long as the remote takes.
    """
    if connection.in_atomic_block:
        raise RuntimeError(
            "a transaction is open: a remote is called between two, never inside one"
        )
    try:
        with slots.hold(connector, tenant_id=tenant_id), breaker.guard(connector, verdict=verdict):
            yield
    except breaker.OpenError as exc:
        wait = max(SOONEST, exc.retry_after)
        raise BreakerOpenError("the remote is being left alone", wait) from exc
    except slots.NoneFreeError as exc:
        wait = max(SOONEST, exc.retry_after)
        raise NoSlotError("too many calls of this remote are under way", wait) from exc


def verdict(error: Exception | None) -> bool | None:
    """Whether the remote fared well. Only what is its own fault or the way's counts against it: no
    connection, no answer, 5xx, 429. A refusal is an answer."""
    if error is None:
        return True
    if isinstance(error, _SAYS_NOTHING) or not isinstance(error, ConnectorError):
        return None
    return not isinstance(error, _FAULTS)
