"""The rows of a run for a proof: as text and hash, as the database has them at this moment."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from opspilot.tenancy import sql

_SQL = Path(__file__).parents[1] / "sql" / "run_texts.sql"
MOST = 2000  # rows; a run has some tens of them


@dataclass(frozen=True, slots=True)
class RowText:
    """Columns in the order of the file."""

    id: int
    at: dt.datetime
    text: str
    hash: str


def of_run(*, correlation_id: UUID) -> list[RowText]:
    """Oldest first, at most MOST."""
    return [RowText(*row) for row in sql.rows(_SQL, correlation_id=correlation_id, limit=MOST)]
