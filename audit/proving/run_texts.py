"""The rows of a run for a proof: as text and hash, as the database has them at this moment."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from audit.proving.proof_document import MOST_ROWS
from opspilot.tenancy import sql

_SQL = Path(__file__).parents[1] / "sql" / "run_texts.sql"


@dataclass(frozen=True, slots=True)
class RowText:
    """Columns in the order of the file."""

    id: int
    at: dt.datetime
    text: str
    hash: str


@dataclass(frozen=True, slots=True)
class RunTexts:
    """The MOST_ROWS oldest rows of a run, oldest first, and whether there are more."""

    rows: list[RowText]
    is_cut: bool


def of_run(*, correlation_id: UUID) -> RunTexts:
    found = sql.rows(_SQL, correlation_id=correlation_id, limit=MOST_ROWS + 1)
    return RunTexts([RowText(*row) for row in found[:MOST_ROWS]], len(found) > MOST_ROWS)
