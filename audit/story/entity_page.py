"""One page of an entity's history: its rows, their stories told whole, and what lies around it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from audit import partitions
from audit.story import filters, gaps, presenters, queries
from audit.story.filters import Chosen
from audit.story.gaps import Gap
from audit.story.presenters import Story, Telling
from audit.story.queries import TrailLine

LONGEST = 60
"""Rows of a run that is told whole; a longer one is told by the page of the run."""


@dataclass(frozen=True, slots=True)
class Day:
    """A day with its stories; `gaps` are months without rows right before it, further from now."""

    at: dt.datetime
    stories: list[Story]
    gaps: list[Gap]


@dataclass(frozen=True, slots=True)
class Page:
    days: list[Day]
    older: str  # address of the page further back, "" at the end
    newer: str
    newest: str
    since: str  # the first month the trail covers, as MM/YYYY
    gaps: list[Gap]  # what lies before everything the page shows, where it shows nothing


def of(*, type_: str, ids: Sequence[str], chosen: Chosen, size: int) -> Page:
    """`ids`: of the entity and of what was merged into it."""
    lines = queries.entity_history(
        entity_type=type_,
        entity_id=ids[0],
        also=ids[1:],
        wanted=chosen.wanted,
        before=chosen.before,
        after=chosen.after,
        limit=size + 1,
    )
    more = len(lines) > size
    shown = (lines[1:] if chosen.after else lines[:size]) if more else lines
    goes_back = more or chosen.after is not None
    goes_on = more if chosen.after else chosen.before is not None
    missing = gaps.of_company()
    days = _days(shown, _telling(shown, ids, chosen), missing, last=not goes_back)
    return Page(
        days=days,
        older=filters.older(chosen, shown[-1].place) if shown and goes_back else "",
        newer=filters.newer(chosen, shown[0].place) if shown and goes_on else "",
        newest=chosen.address() if chosen.is_further else "",
        since=_first_month(),
        gaps=[] if shown else missing,
    )


def _telling(lines: Sequence[TrailLine], ids: Sequence[str], chosen: Chosen) -> Telling:
    acts = [line for line in lines if line.action != filters.READING]
    found = queries.whole_stories(of=acts, limit=LONGEST + 1)
    whole = {
        run: [line for line in rows if line.entity_id in ids and line.action != filters.READING]
        for run, rows in found.items()
    }
    if not chosen.is_further or not lines:
        return Telling(whole)
    top, wanted = lines[0], chosen.wanted
    newer = {
        run
        for run, rows in whole.items()
        if any((row.at, row.id) > (top.at, top.id) and wanted.has(row) for row in rows)
    }
    return Telling(whole, frozenset(newer))


def _days(
    lines: Sequence[TrailLine], telling: Telling, missing: list[Gap], *, last: bool
) -> list[Day]:
    found = presenters.days(lines, telling)
    around = pairwise([*(at for at, _stories in found), None])
    return [
        Day(at, stories, _before(missing, newer, older, last))
        for (at, stories), (newer, older) in zip(found, around, strict=True)
    ]


def _before(
    missing: list[Gap], newer: dt.datetime | None, older: dt.datetime | None, last: bool
) -> list[Gap]:
    """Under the last day of a page that goes on, the next page says what is missing."""
    return [] if older is None and not last else gaps.between(missing, newer=newer, older=older)


def _first_month() -> str:
    months = partitions.existing()
    return "/".join(reversed(months[0].split("-"))) if months else ""
