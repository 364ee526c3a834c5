"""The answer of a saved report: how many rows, their hash, and a line for each that tells no content."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from audit.models import SavedReportRun
from audit.reports import cells, running
from audit.reports.parameters import Bound
from audit.reports.shapes import NamedQuery, Row

KEPT = 2_000
"""Rows up to which an answer keeps its lines; above that only the count and the hash are compared."""

Line = tuple[str, list[str]]
"""The beginning of a row's SHA-256, and the values that tell the row from every other."""


@dataclass(frozen=True, slots=True)
class Answer:
    rows: int
    sha256: str
    lines: Sequence[Line] | None


@dataclass(frozen=True, slots=True)
class Change:
    """Against the answer before. A row whose values changed left and entered."""

    entered: Sequence[Line]
    left: Sequence[Line]


def answer(query: NamedQuery, bound: Bound, *, run: UUID) -> Answer:
    """Without the rows that answering itself wrote, which are of this run of the trail: with them
    no answer about a customer would ever be the same as the one before."""
    digest, lines = running.Digest(query), list[Line]()
    place = query.names.index("correlacao_id") if "correlacao_id" in query.names else None
    for row in running.stream(query, bound):
        if place is not None and str(row[place]) == str(run):
            continue
        digest.add(row)
        if digest.rows <= KEPT:
            lines.append(_line(query, row))
    kept = lines if digest.rows <= KEPT else None
    return Answer(digest.rows, digest.hexdigest(), kept)


def change(before: SavedReportRun, now: SavedReportRun) -> Change | None:
    """What entered and what left; None where one of the two has more rows than are kept, or the
    query is not the same any more."""
    if before.lines is None or now.lines is None or before.version != now.version:
        return None
    old, new = _by_digest(before.lines), _by_digest(now.lines)
    return Change(
        entered=[line for digest, line in new.items() if digest not in old],
        left=[line for digest, line in old.items() if digest not in new],
    )


def _by_digest(lines: Sequence[Line]) -> dict[str, Line]:
    return {line[0]: line for line in lines}


def _line(query: NamedQuery, row: Row) -> Line:
    values = dict(zip(query.names, row, strict=True))
    digest = hashlib.sha256(cells.line(query.columns, row).encode()).hexdigest()
    return digest[:24], [cells.text(values[name]) for name in query.key]
