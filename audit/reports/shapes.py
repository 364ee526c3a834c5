"""A named query and what it gives, as plain data."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from audit.reports.kinds import Parameter
from opspilot.errors import Text
from opspilot.tenancy.principal import Role
from opspilot.tenancy.roles import TRAIL_READERS

SQL = Path(__file__).parents[1] / "sql"
Row = tuple[Any, ...]
Kind = Literal[
    "number", "moment", "day", "text", "run", "entity", "action", "result", "authorization",
    "person", "reason", "integer", "money", "percent", "seconds", "boolean", "json",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """One column, in the order of the SQL file. `money` is exact centavos; `seconds` whole ones."""

    name: str
    label: Text
    kind: Kind = "text"
    screen: bool = True  # exports have every column, a page those that answer
    floor: str = ""  # the column that counts what this sum does not know: then it says "pelo menos"
    total: bool = False  # summed below a table that is whole


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedQuery:
    """A question with its SQL. `key` orders the rows and tells each from every other: a page ends
    at one; the file reads it as `after_<column>`. A change of file, columns or key is a new version.
    """

    slug: str
    version: int
    question: Text
    about: Text
    parameters: tuple[Parameter, ...]
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    file: str
    index: str
    owner: Role = Role.AUDITOR
    roles: tuple[Role, ...] = TRAIL_READERS

    @property
    def path(self) -> Path:
        return SQL / self.file

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What an answer is about: from when (the trail's first instant where it begins later than was
    asked), until when, how many rows are here, and whether those are all of them."""

    since: dt.datetime | None
    until: dt.datetime
    rows: int
    complete: bool
    more: bool = False
    begins_later: bool = False
    to_now: bool = True
    expired: dt.date | None = None  # the newest month that went by retention, where that matters


@dataclass(frozen=True, slots=True)
class Page:
    rows: Sequence[Row]
    next_cursor: str
    coverage: Coverage
