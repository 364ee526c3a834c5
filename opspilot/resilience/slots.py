"""So many calls of a connector at a time, over all processes, and none of them one company's own.

While nobody waits a company may hold every slot. From the moment another one finds none, each keeps
to its share (the slots divided by those who hold or wait, rounded down, at least one) for PATIENCE
seconds: what a flood holds comes free call by call, and the flood may not take it again.

A holder that dies gives its slot back by the lease (OPSPILOT_LEASE_SECONDS): a call that lasts
longer than that could be one more than the limit.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

log = structlog.get_logger(__name__)
RETRY = 1.0  # seconds after which a slot may be looked for again
PATIENCE = 15.0  # seconds a company counts as waiting after it found none: three of the sweep's
NOBODY = uuid.UUID(int=0)  # calls of no company, such as a check of the connection

_TAKE = """
SELECT take_slot(%s, %s, %s, %s, make_interval(secs => %s), make_interval(secs => %s))
"""
_RELEASE = """
UPDATE connector_slot SET holder_token = NULL, tenant_id = NULL, until = NULL
 WHERE connector = %s AND n = %s AND holder_token = %s
"""


class NoneFreeError(Exception):
    """All slots, or the company's share of them, are held."""

    retry_after = RETRY


@contextmanager
def hold(connector: str, *, tenant_id: uuid.UUID | None) -> Iterator[None]:
    """One slot for one call, with no transaction open. Raises NoneFreeError."""
    token = uuid.uuid4()
    n = take(connector, tenant_id=tenant_id, token=token)
    if n is None:
        raise NoneFreeError(f"no free slot of {connector}")
    try:
        yield
    finally:
        release(connector, n=n, token=token)


def take(connector: str, *, tenant_id: uuid.UUID | None, token: uuid.UUID) -> int | None:
    """The number of the slot that is now the token's, or None; then the company counts as waiting."""
    lease, capacity = settings.OPSPILOT_LEASE_SECONDS, settings.OPSPILOT_CONNECTOR_SLOTS
    company = tenant_id or NOBODY
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [connector, capacity, token, company, lease, PATIENCE])
        n: int | None = cursor.fetchone()[0]
    return n


def release(connector: str, *, n: int, token: uuid.UUID) -> None:
    """Give it back; a late holder, whose slot is another's by now, changes nothing. What cannot be
    written is logged: the lease gives the slot back, and the caller must hear the remote's answer."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(_RELEASE, [connector, n, token])
    except (DatabaseError, InterfaceError):
        log.exception("slot not given back", connector=connector)
