"""The dashboard's numbers: each bounded by a day of rows or by an index of what is open."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from statistics import median

from approvals.inbox.health import EFFECTS
from opspilot.tenancy import sql

_SQL = Path(__file__).parent / "sql"
STEPS = 12
HOURS = 24


@dataclass(frozen=True, slots=True)
class Day:
    """Of the last 24 hours, a value for each two of them, the oldest first."""

    expired: Sequence[int]
    handed_over: Sequence[int]
    effects: Sequence[int]
    spent: Sequence[Decimal]
    spent_unknown: int


@dataclass(frozen=True, slots=True)
class Decided:
    counts: Sequence[int]
    median_seconds: float | None


@dataclass(frozen=True, slots=True)
class Underway:
    count: int
    oldest: dt.datetime | None


def last_day() -> Day:
    rows = {row[0]: row[1:] for row in sql.rows(_SQL / "last_day.sql", effects=EFFECTS)}
    nothing = (0, 0, 0, Decimal(0), 0)
    expired, handed_over, effects, spent, unknown = zip(
        *(rows.get(step, nothing) for step in range(1, STEPS + 1)), strict=True
    )
    return Day(expired, handed_over, effects, spent, sum(unknown))


def decided() -> Decided:
    rows = sql.rows(_SQL / "decided.sql")
    steps = [row[0] for row in rows]
    counts = [steps.count(step) for step in range(1, STEPS + 1)]
    return Decided(counts, median(row[1] for row in rows) if rows else None)


def undelivered() -> tuple[int, int]:
    """Notices that failed lately, and those that wait for another try."""
    ((failed, waiting),) = sql.rows(_SQL / "undelivered.sql")
    return failed, waiting


def underway() -> Underway:
    ((count, oldest),) = sql.rows(_SQL / "underway.sql")
    return Underway(count, oldest)
