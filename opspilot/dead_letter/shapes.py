"""What every lane tells about what it gave up, and how it is asked to try again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from django.utils.functional import Promise

from opspilot.dead_letter.errors import NotStoppedError
from opspilot.tenancy.principal import Principal

Row = TypeVar("Row", bound=Model)

KEPT = dt.timedelta(days=30)
"""How long something given up is shown: what nobody asked for again in that time stays on its own
page, as failed. What still has to be decided by a person (an effect) is shown for as long as it is."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was given up. `url` leads to it; `can_again`: an admin may have it tried again
    from here, else `why_not` says who can."""

    key: UUID
    title: str
    why: str
    at: dt.datetime
    url: str = ""
    can_again: bool = True
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Lane:
    """One kind of work. `rows` are the domain's own, in the open scope, the newest first; `again`
    gives one of them its attempts back, as its own room has it, and returns what it belongs to. It
    raises RefusedError for what is not among `rows` any more. None: this is not the place for it."""

    slug: str
    title: str | Promise
    rule: str | Promise
    rows: Callable[[], QuerySet[Any]]
    lines: Callable[[Sequence[Any], Principal], list[Line]]
    again: Callable[[Principal, UUID], UUID] | None = None


def stopped(rows: QuerySet[Row, Row], key: UUID) -> Row:
    """The one with this `ref` among what the page offers, locked until the transaction ends: nobody
    takes it over meanwhile. Raises NotStoppedError."""
    row = rows.select_for_update(of=("self",)).filter(ref=key).first()
    if row is None:
        raise NotStoppedError
    return row
