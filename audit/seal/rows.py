"""The trail's rows in order, each with its hash recomputed from its own fields: the stored hash is
a claim, and never what proves the row."""

from __future__ import annotations

import datetime as dt
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from django.db import connections

from audit.seal.merkle import Tree
from opspilot.tenancy.scope import current_tenant_id
from opspilot.tenancy.sql import named, server_side

_QUERY = Path(__file__).parents[1] / "sql" / "rehashed_rows.sql"
BEGINNING, END = "-infinity", "infinity"
_PAGE = 2_000  # rows in memory at a time
# Timestamps inside the hashed text must print as they did for the writer's trigger; and the plan, made
# once, reads an index in its own order instead of sorting a month before the first row is seen.
_BEFORE = "SELECT set_config('TimeZone', 'UTC', true), set_config('enable_sort', 'off', true)"
_AFTER = "SET LOCAL enable_sort TO DEFAULT"


class Row(NamedTuple):
    at: dt.datetime
    id: int
    computed: bytes
    stored: bytes


@dataclass(frozen=True, slots=True)
class Taken:
    """The rows of one window. `wrong` is the first whose fields no longer give its hash."""

    count: int
    root: str  # over the recomputed hashes
    first: int
    last: int
    wrong: int | None


@contextmanager
def opened(
    *, since: dt.datetime | str, until: dt.datetime | str, using: str = "default"
) -> Iterator[Rows]:
    """The scope's rows, to be taken window by window. The cursor is closed at the end, whatever
    happens: one that is forgotten would be closed inside somebody else's transaction."""
    with closing(stream(since=since, until=until, using=using)) as source:
        yield Rows(source)


def stream(
    *, since: dt.datetime | str, until: dt.datetime | str, using: str = "default"
) -> Generator[Row, None, None]:
    """Rows of the scope's tenant from `since` up to, and without, `until`.

    One statement, one view of the data, however long it takes; a few thousand rows in memory.
    """
    values = {"tenant_id": current_tenant_id(), "since": str(since), "until": str(until)}
    with server_side(page=_PAGE, using=using) as cursor:
        session = connections[using].connection
        session.execute(_BEFORE)
        cursor.execute(named(_QUERY), values, binary=True)
        session.execute(_AFTER)
        yield from map(Row._make, cursor)


class Rows:
    """The stream, taken window by window."""

    def __init__(self, source: Iterator[Row]) -> None:
        self._source = source
        self._next = next(source, None)

    @property
    def next_at(self) -> dt.datetime | None:
        """The moment of the first row that is not taken yet."""
        return self._next.at if self._next else None

    def take(self, until: dt.datetime | None, *, stored: bool = False) -> Taken:
        """All rows before `until`, or all that are left. `stored` builds the root over what the rows
        claim, as the seal does: what was changed before the seal then shows for ever."""
        tree, first, last, wrong = Tree(), 0, 0, None
        while (row := self._next) is not None and (until is None or row.at < until):
            tree.add(row.stored if stored else row.computed)
            first, last = first or row.id, row.id
            if wrong is None and row.computed != row.stored:
                wrong = row.id
            self._next = next(self._source, None)
        return Taken(tree.count, tree.root().hex(), first, last, wrong)
