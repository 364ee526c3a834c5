"""Running a named query: page by page, row by row, or to its hash. Inside an open tenant scope."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import count
from typing import Any
from uuid import UUID

from django.db.backends.utils import CursorWrapper
from django.utils.translation import gettext_lazy as _

from audit import entities
from audit.registry import standing
from audit.reports import cells, constants, coverage, cursors
from audit.reports.parameters import Bound
from audit.reports.shapes import NamedQuery, Page, Row
from audit.time_limit import SECONDS, limited
from opspilot.errors import InvalidInputError
from opspilot.tenancy import sql
from opspilot.tenancy.scope import current_tenant_id

PAGE = 100
BATCH = 2_000
MOST = 2**62  # rows of a stream: all of them
_STREAMS = count()


class QueryTooSlowError(InvalidInputError):
    """The statement was stopped; its parameters still stand in the address."""

    code = "consulta_lenta"
    http_status = 503
    title = _("A consulta passou de 20 segundos e foi parada")
    what = _("Nada se perdeu: os campos estão como você os deixou.")
    next_step = _("Escolha um período menor, ou um agente, ou uma ação, e consulte de novo.")


def page(
    query: NamedQuery, bound: Bound, *, after: str = "", limit: int = PAGE, using: str = "default"
) -> Page:
    """At most `limit` rows behind the cursor. Nothing is counted beyond the page."""
    place = cursors.read(query, bound, after)
    with _bounded(using) as cursor:
        cursor.execute(*statement(query, bound, limit=limit + 1, place=place))
        found: list[Row] = cursor.fetchall()
    rows, more = found[:limit], len(found) > limit
    return Page(
        rows=rows,
        next_cursor=cursors.written(query, bound, rows[-1]) if more else "",
        coverage=coverage.of(bound, rows=len(rows), more=more, behind=bool(after), using=using),
    )


def stream(query: NamedQuery, bound: Bound, *, using: str = "default") -> Iterator[Row]:
    """Every row, of one moment, a batch at a time in memory. Read it inside the scope.

    Each batch has its own time limit and savepoint, so whoever reads may write in between."""
    name = f"report_{next(_STREAMS)}"
    text, values = statement(query, bound, limit=MOST)
    with _bounded(using) as cursor:
        cursor.execute(f"DECLARE {name} NO SCROLL CURSOR FOR {text}", values)
    while True:
        with _bounded(using) as cursor:
            cursor.execute(f"FETCH {BATCH} FROM {name}")
            rows: list[Row] = cursor.fetchall()
        yield from rows
        if len(rows) < BATCH:
            break
    with _bounded(using) as cursor:
        cursor.execute(f"CLOSE {name}")


def digest(query: NamedQuery, bound: Bound, *, using: str = "default") -> tuple[int, str]:
    """How many rows, and the SHA-256 of them all: the same in whatever format they leave."""
    hashing = Digest(query)
    for row in stream(query, bound, using=using):
        hashing.add(row)
    return hashing.rows, hashing.hexdigest()


class Digest:
    """SHA-256 over the query's name and version and each row as a line of JSON."""

    def __init__(self, query: NamedQuery) -> None:
        self.rows = 0
        self._columns = query.columns
        self._hash = hashlib.sha256(f"{query.slug}@{query.version}\n".encode())

    def add(self, row: Row) -> None:
        self.rows += 1
        self._hash.update(cells.line(self._columns, row).encode() + b"\n")

    def hexdigest(self) -> str:
        return self._hash.hexdigest()


def count_up_to(query: NamedQuery, bound: Bound, most: int, *, using: str = "default") -> int:
    """How many rows there are, counted no further than one above `most`."""
    text, values = statement(query, bound, limit=most + 1)
    with _bounded(using) as cursor:
        cursor.execute(f"SELECT count(*) FROM ({text}) counted", values)  # noqa: S608 - our file
        return int(cursor.fetchone()[0])


def statement(
    query: NamedQuery, bound: Bound, *, limit: int, place: tuple[Any, ...] | None = None
) -> tuple[str, dict[str, Any]]:
    """The file's text and everything it names; `place` is where an earlier page ended."""
    after = dict(zip(query.key, place or (None,) * len(query.key), strict=True))
    return sql.named(query.path), {
        "tenant_id": current_tenant_id(),
        **constants.of_every_query(),
        **bound.values,
        "entity_ids": _whose(bound),
        **{f"after_{name}": value for name, value in after.items()},
        "limit": limit,
    }


def _whose(bound: Bound) -> list[str] | None:
    """The ids whose rows are about the entity: its own, and what was merged into it."""
    ref = bound.values.get("entity_id")
    if ref is None:
        return None
    entity = entities.by_ref(UUID(ref)) if cells.is_uuid(ref) else None
    merged = standing.members(entity) if entity is not None else []
    return list(dict.fromkeys([ref, *(str(one.ref) for one in merged)]))


def _bounded(using: str) -> AbstractContextManager[CursorWrapper]:
    """A cursor whose statements end after SECONDS, and leave the transaction usable."""
    return limited(QueryTooSlowError, seconds=SECONDS, using=using)
