"""Named queries over the trail: the SQL stands in `sql/`, one file a question."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

from opspilot.tenancy import sql

_SQL = Path(__file__).parents[1] / "sql"


@dataclass(frozen=True, slots=True)
class TrailLine:
    """One row of the trail as reports show it; columns in the order of the SQL files."""

    id: int
    at: dt.datetime
    correlation_id: UUID
    agent: str
    action: str
    result: str
    authorization: str
    approved_by: str | None
    policy_version: int | None
    sources: list[dict[str, Any]]
    input: str | None
    output: str | None
    cost: Decimal | None
    reversible: bool
    reversal: str | None
    error: str | None
    approval_id: int | None = None
    milliseconds: int | None = None
    entity_type: str | None = None
    entity_id: str | None = None

    @property
    def place(self) -> Place:
        return Place(self.at, self.id)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page ended: two rows may share an instant, so the id is part of it."""

    at: dt.datetime
    id: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rows of a history; None leaves one of the conditions out. `until` is not included."""

    actions: Sequence[str] | None = None
    results: Sequence[str] | None = None
    since: dt.datetime | None = None
    until: dt.datetime | None = None


def entity_history(
    *,
    entity_type: str,
    entity_id: str,
    wanted: Wanted | None = None,
    before: Place | None = None,
    limit: int = 200,
) -> list[TrailLine]:
    """What was done about one entity, newest first; `before` goes on from an earlier page."""
    which = wanted or Wanted()
    return _lines(
        "entity_history",
        entity_type=entity_type,
        entity_id=entity_id,
        actions=None if which.actions is None else list(which.actions),
        results=None if which.results is None else list(which.results),
        since=which.since,
        until=which.until,
        before=before.at if before else None,
        before_id=before.id if before else None,
        limit=limit,
    )


@dataclass(frozen=True, slots=True)
class RecentRun:
    """A run's newest row; columns in the order of `recent_runs.sql`."""

    correlation_id: UUID
    at: dt.datetime
    action: str
    result: str
    input: str | None
    approved_by: str | None


def recent_runs(*, limit: int = 20) -> list[RecentRun]:
    """The runs with the newest rows, newest first."""
    found = [RecentRun(*row) for row in sql.rows(_SQL / "recent_runs.sql")]
    return sorted(found, key=lambda run: run.at, reverse=True)[:limit]


def run_history(*, correlation_id: UUID, limit: int = 500) -> list[TrailLine]:
    return _lines("run_history", correlation_id=correlation_id, limit=limit)


def _lines(name: str, **parameters: Any) -> list[TrailLine]:
    rows = sql.rows(_SQL / f"{name}.sql", **parameters)
    return [TrailLine(*_decoded(row)) for row in rows]


def _decoded(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Django's connection hands jsonb over as text: `fontes` is the tenth column."""
    sources = json.loads(row[9]) if isinstance(row[9], str) else row[9]
    return (*row[:9], sources, *row[10:])
