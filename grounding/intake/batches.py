"""What became of the files somebody sent: one batch or the latest ones, and why any of them wait."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from django.db.models import Count, Max, Min, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Now

from grounding.intake.holding import OPEN, POSTPONED, WAITING_SINCE
from grounding.models import Upload
from opspilot.tenancy import clock, lease

PAGE = 100  # rows
LATEST = 8
STILL = dt.timedelta(minutes=2)  # that long without a file read, and the page says so
Step = Literal["queued", "reading", "splitting", "indexing", "postponed", "ended"]


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file and where it is; `ahead` counts the files before it in the queue."""

    upload: Upload
    step: Step
    ahead: int = 0


@dataclass(frozen=True, slots=True)
class Silence:
    """Files wait for something that does not answer: the embedder, or whoever reads files."""

    of: Literal["embedder", "worker"]
    since: dt.datetime
    files: int


@dataclass(frozen=True, slots=True)
class Batch:
    rows: list[FileRow]
    number: int
    total: int
    states: dict[str, int]
    is_open: bool


def batch(ref: UUID, *, readable: Sequence[int], number: int = 1) -> Batch:
    """One batch, in the order the files were chosen."""
    mine = Upload.objects.filter(batch=ref, collection_id__in=readable)
    counted = mine.order_by("state").values_list("state").annotate(number=Count("pk"))
    states = {str(state): count for state, count in counted}
    total = sum(states.values())
    number = max(1, min(number, -(-total // PAGE)))
    rows = mine.order_by("pk")[(number - 1) * PAGE : number * PAGE]
    is_open = any(state in states for state in OPEN)
    return Batch(_rows(rows), number, total, states, is_open)


def latest(*, readable: Sequence[int]) -> Batch:
    """The newest files of these collections, whoever sent them."""
    mine = Upload.objects.filter(collection_id__in=readable)
    rows = _rows(mine.order_by("-pk")[:LATEST])
    is_open = mine.filter(state__in=OPEN).exists()
    return Batch(rows, 1, len(rows), {}, is_open)


def located(uploads: Sequence[Upload]) -> list[FileRow]:
    """Each file with its step and its place in the queue."""
    moment = clock.now()
    ahead = _queue() if any(row.finished_at is None for row in uploads) else []
    return [FileRow(row, _step(row, moment), bisect_left(ahead, row.pk)) for row in uploads]


def silence() -> Silence | None:
    """Why the files of this tenant stand still, when they do; the embedder is the better reason."""
    waiting = Upload.objects.filter(POSTPONED)
    since = waiting.aggregate(since=Min(KT(f"detail__{WAITING_SINCE}")))["since"]
    if since:
        return Silence("embedder", dt.datetime.fromisoformat(since), waiting.count())
    still = Upload.objects.filter(lease.free(), state__in=OPEN)
    oldest = still.aggregate(oldest=Min("created_at"))["oldest"]
    held = Upload.objects.filter(state__in=OPEN, lease_until__gt=Now()).exists()
    if oldest is None or held:
        return None
    read = Upload.objects.filter(attempts__gt=0).aggregate(last=Max("finished_at"))["last"]
    since = max(oldest, read) if read else oldest
    if clock.now() - since < STILL:
        return None
    return Silence("worker", since, still.count())


def _rows(found: QuerySet[Upload]) -> list[FileRow]:
    return located(list(found.defer("content")))


def _queue() -> list[int]:
    queued = Upload.objects.filter(state__in=OPEN).order_by("pk")
    return list(queued.values_list("pk", flat=True))


def _step(row: Upload, moment: dt.datetime) -> Step:
    if row.finished_at is not None:
        return "ended"
    held = row.lease_until is not None and row.lease_until > moment
    if row.claim_token is None and row.lease_until is not None:
        return "postponed" if row.detail.get(WAITING_SINCE) else "queued"
    if not held:
        return "queued"
    if row.state == "uploaded":
        return "reading"
    return "indexing" if "done" in row.detail else "splitting"
