"""The months a history cannot tell of: those whose rows went when their time was over, by the
ledger that is kept of them. An hour that is not sealed yet is no gap."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from audit.months import ledger


@dataclass(frozen=True, slots=True)
class Gap:
    """One month of which the company's rows are gone, and why."""

    month: str
    rows: int
    basis: str
    at: dt.datetime
    until: dt.datetime


def of_company() -> list[Gap]:
    """Newest first."""
    return [
        Gap(f"{row.month:%m/%Y}", row.rows, row.basis, row.recorded_at, row.until_at)
        for row in reversed(ledger.gone())
    ]


def between(
    gaps: Sequence[Gap], *, newer: dt.datetime | None, older: dt.datetime | None
) -> list[Gap]:
    """Those that fall between two rows; None is beyond the newest row, or beyond the oldest."""
    return [
        gap
        for gap in gaps
        if (newer is None or gap.until <= newer) and (older is None or gap.until > older)
    ]
