"""Looks after one company's index in the worker: fill, cut again, remove, and once a day measure.

Each turn is short and the row says where the next goes on, so a worker that dies loses one batch.
"""

from __future__ import annotations

import datetime as dt
import time
from uuid import UUID

import structlog
from django.db.models.functions import Now

from grounding.models import Chunk, KnowledgeIndex
from grounding.upkeep import filling, growing, health, recutting, standing
from opspilot.tenancy import clock, lease
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
NO_ROW = 0  # in place of a row's id: the company has none yet
DAY = dt.timedelta(days=1)
_TURN = 20.0  # seconds; others wait for theirs
_NOW = dt.timedelta(seconds=1)
_LATER = dt.timedelta(minutes=10)
_AFTER_SWITCH = dt.timedelta(hours=1)  # questions prepared before it are still asked after it
_RETRY = dt.timedelta(minutes=1)


def advance(*, tenant_id: UUID, index_id: int) -> None:
    """Safe to call at any time, by anybody."""
    with tenant_scope(tenant_id):
        if index_id == NO_ROW:
            standing.made()
            return
        row = standing.claim(index_id)
    if row is None:
        return
    try:
        pause = _work(row)
    except standing.LateUpkeepError:
        log.info("another worker has taken the index over", index=index_id)
        return
    with tenant_scope(tenant_id):
        standing.mine(row).update(next_at=Now() + pause, **lease.RELEASED)


def _work(row: KnowledgeIndex) -> dt.timedelta:
    with tenant_scope(row.tenant_id):
        filling.aim(row)
        row.refresh_from_db()
    deadline = time.monotonic() + _TURN
    if _fill(row, deadline) or _cut_again(row, deadline) or _forget(row, deadline):
        return _NOW
    if row.fault:
        return _RETRY
    if _is_due(row):
        _measure(row)
    return _LATER


def _is_due(row: KnowledgeIndex) -> bool:
    """Once a day; a company that had nothing to measure is not told so for a day."""
    if row.looked_at is None or row.looked_at + DAY <= clock.now():
        return True
    with tenant_scope(row.tenant_id):
        return not row.health.get("passages") and Chunk.objects.exists()


def _fill(row: KnowledgeIndex, deadline: float) -> bool:
    while filling.step(row):
        if time.monotonic() > deadline:
            return True
    return False


def _cut_again(row: KnowledgeIndex, deadline: float) -> bool:
    after = 0
    while (done := recutting.step(row, after=after)) is not None:
        after = done
        if time.monotonic() > deadline:
            return True
    return False


def _forget(row: KnowledgeIndex, deadline: float) -> bool:
    if row.switched_at is None or row.switched_at + _AFTER_SWITCH > clock.now():
        return False
    while filling.forget(row):
        if time.monotonic() > deadline:
            return True
    return False


def _measure(row: KnowledgeIndex) -> None:
    found = health.measure(row)
    with tenant_scope(row.tenant_id):
        with_vector, passages = standing.rows("filled", space=row.space)[0]
    growing.grow(row, with_vector)
    with tenant_scope(row.tenant_id):
        standing.write(row, health=found | {"passages": passages}, looked_at=Now())
