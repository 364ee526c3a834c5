"""The rows of one customer's trace, in batches: memory for one batch, no transaction between two."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection

from audit.models import Trace
from opspilot.tenancy import sql

BATCH = 2_000
MOST_STORIES = 500
MOST_OF_A_STORY = 12  # rows told of one story; how many it has is said
_SQL = Path(__file__).parents[1] / "sql"
_FIRST = dt.datetime(1, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part ended: two rows may share an instant, so the number is part of it."""

    at: dt.datetime
    row: int


@dataclass(frozen=True, slots=True)
class Stored:
    """A row as its hash was made of it."""

    text: str
    hash: str
    at: dt.datetime
    id: int

    @property
    def place(self) -> Place:
        return Place(self.at, self.id)


@dataclass(frozen=True, slots=True)
class Total:
    action: str
    result: str
    authorization: str
    rows: int
    first: dt.datetime
    last: dt.datetime
    cost: Decimal | None
    unknown_costs: int


@dataclass(frozen=True, slots=True)
class Told:
    """One row of a story. `said` is the row's own text: masked before anybody reads it."""

    run: UUID
    of_story: int
    of_all: int
    at: dt.datetime
    action: str
    result: str
    authorization: str
    said: str | None


def batch(trace: Trace, ids: Sequence[str], *, limit: int) -> list[Stored]:
    """The rows after the trace's place, oldest first."""
    with connection.cursor() as cursor:
        # Pinned: the text must be the one that was hashed, and each id's scan must end at the limit
        # instead of sorting all there is.
        cursor.execute("SET LOCAL timezone = 'UTC'; SET LOCAL enable_sort = off")
    since = trace.place_at or _FIRST
    found = sql.rows(
        _SQL / "trace_rows.sql",
        **_about(trace, ids),
        since=since,
        after=trace.place_row or 0,
        limit=limit,
    )
    return [Stored(*row) for row in found]


def totals(trace: Trace, ids: Sequence[str]) -> list[Total]:
    return [Total(*row) for row in sql.rows(_SQL / "trace_totals.sql", **_about(trace, ids))]


def stories(trace: Trace, ids: Sequence[str]) -> list[Told]:
    """The first MOST_STORIES stories, row by row."""
    found = sql.rows(
        _SQL / "trace_stories.sql",
        **_about(trace, ids),
        limit=MOST_STORIES,
        most=MOST_OF_A_STORY,
    )
    return [Told(*row) for row in found]


def query_text() -> str:
    """The query the rows were read by, as it stands in its file."""
    return sql.named(_SQL / "trace_rows.sql")


def _about(trace: Trace, ids: Sequence[str]) -> dict[str, Any]:
    return {"entity_type": trace.entity_type, "entity_ids": list(ids), "until": trace.until}
