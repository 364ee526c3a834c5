"""Speaking to a remote about an effect: no more of them at a time than the worker has lanes.

A worker claims one effect more than it speaks about, and revalidates it meanwhile, so that a remote
is not left waiting while this machine works out what comes next. That one waits with its lease
running: a request that then leaves is still begun only while enough of the lease is left.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from uuid import UUID

from django.conf import settings

from opspilot.connectors.errors import NoSlotError
from opspilot.connectors.guarded import SOONEST, guarded

AHEAD = 1  # effects a worker claims beside those it speaks about
PATIENCE = 10.0  # seconds; far less than a lease


@contextmanager
def speaking(connector: str, *, tenant_id: UUID) -> Iterator[None]:
    """For one step with the remote. Raises as `guarded` does, and NoSlotError where all lanes of this
    process went on speaking for PATIENCE seconds."""
    lanes = _lanes()
    if not lanes.acquire(timeout=PATIENCE):
        raise NoSlotError("every lane of this worker speaks to a remote", SOONEST)
    try:
        with guarded(connector, tenant_id=tenant_id):
            yield
    finally:
        lanes.release()


@cache
def _lanes() -> threading.BoundedSemaphore:
    return threading.BoundedSemaphore(settings.OPSPILOT_EXECUTION_LANES)
