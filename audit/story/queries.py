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

from django.utils import timezone

from audit.story import windows
from opspilot.tenancy import sql

_SQL = Path(__file__).parents[1] / "sql"
_Row = dict[str, Any]


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
    agent_version: str = ""
    model: str = ""
    instruction: str = ""
    tokens_in: int = 0
    tokens_out: int = 0

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
    """Which rows of a history; None leaves one of the conditions out. `until` is not included.
    `without` names the actions that are not asked for."""

    actions: Sequence[str] | None = None
    results: Sequence[str] | None = None
    since: dt.datetime | None = None
    until: dt.datetime | None = None
    without: Sequence[str] | None = None

    def has(self, line: TrailLine) -> bool:
        """Whether this row is one of them."""
        return (
            (self.actions is None or line.action in self.actions)
            and line.action not in (self.without or ())
            and (self.results is None or line.result in self.results)
            and (self.since is None or line.at >= self.since)
            and (self.until is None or line.at < self.until)
        )


def entity_history(
    *,
    entity_type: str,
    entity_id: str,
    also: Sequence[str] = (),
    wanted: Wanted | None = None,
    before: Place | None = None,
    after: Place | None = None,
    limit: int = 200,
) -> list[TrailLine]:
    """What was done about one entity, newest first, with what was done about the ids in `also`.

    `before` goes on from an earlier page towards the past; `after` gives the rows right after a
    place. Needs an open transaction.
    """
    which, found = wanted or Wanted(), []
    with windows.in_index_order():
        for one in (entity_id, *also):
            about = {"entity_type": entity_type, "entity_id": one}
            found += (
                _newer(which, after, limit, about) if after else _older(which, before, limit, about)
            )
    found.sort(key=lambda line: (line.at, line.id), reverse=True)
    return found[-limit:] if after else found[:limit]


def _older(which: Wanted, before: Place | None, limit: int, about: _Row) -> list[TrailLine]:
    now = timezone.now()
    start = before.at if before else min(which.until or now, now)
    found: list[TrailLine] = []
    for window in windows.backwards(start, since=which.since, until=which.until):
        found += _window("entity_history", which, window, before, limit - len(found), about)
        if len(found) >= limit:
            break
    return found


def _newer(which: Wanted, after: Place, limit: int, about: _Row) -> list[TrailLine]:
    found: list[TrailLine] = []
    for window in windows.forwards(after.at, since=which.since, until=which.until):
        found += _window("entity_history_newer", which, window, after, limit - len(found), about)
        if len(found) >= limit:
            break
    return found


def _window(
    name: str,
    which: Wanted,
    window: windows.Window,
    place: Place | None,
    limit: int,
    about: _Row,
) -> list[TrailLine]:
    return _lines(
        name,
        **about,
        actions=None if which.actions is None else list(which.actions),
        without=None if which.without is None else list(which.without),
        results=None if which.results is None else list(which.results),
        **{"from": window[0]},
        upto=window[1],
        place=place.at if place else None,
        place_id=place.id if place else None,
        limit=limit,
    )


def whole_stories(*, of: Sequence[TrailLine], limit: int) -> dict[UUID, list[TrailLine]]:
    """The rows of the runs of these rows, which come newest first, each run's newest first; runs of
    `limit` rows and more are left out. What happened to a run more than a year later is not here.
    """
    if not of:
        return {}
    begins, ends = windows.around(of[-1].at, of[0].at)
    runs = list(dict.fromkeys(line.correlation_id for line in of))
    found: dict[UUID, list[TrailLine]] = {}
    within = {"from": begins, "upto": ends}
    for line in _lines("whole_stories", runs=runs, limit=limit, **within):
        found.setdefault(line.correlation_id, []).append(line)
    return {
        run: sorted(lines, key=lambda line: (line.at, line.id), reverse=True)
        for run, lines in found.items()
        if len(lines) < limit
    }


@dataclass(frozen=True, slots=True)
class RecentRun:
    """A run's newest row; columns in the order of `recent_runs.sql`."""

    correlation_id: UUID
    at: dt.datetime
    action: str
    result: str
    input: str | None
    approved_by: str | None
    output: str | None


def recent_runs(*, limit: int = 20) -> list[RecentRun]:
    """The runs with the newest rows, newest first."""
    found = [RecentRun(*row) for row in sql.rows(_SQL / "recent_runs.sql")]
    return sorted(found, key=lambda run: run.at, reverse=True)[:limit]


def run_history(
    *, correlation_id: UUID, after: Place | None = None, limit: int = 500
) -> list[TrailLine]:
    """The rows of one run, oldest first; `after` goes on from an earlier page."""
    return _lines(
        "run_history",
        correlation_id=correlation_id,
        place=after.at if after else None,
        place_id=after.id if after else None,
        limit=limit,
    )


def _lines(name: str, **parameters: Any) -> list[TrailLine]:
    rows = sql.rows(_SQL / f"{name}.sql", **parameters)
    return [TrailLine(*_decoded(row)) for row in rows]


def _decoded(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Django's connection hands jsonb over as text: `fontes` is the tenth column."""
    sources = json.loads(row[9]) if isinstance(row[9], str) else row[9]
    return (*row[:9], sources, *row[10:])
