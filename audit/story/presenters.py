"""Trail lines as timelines: one story per run, days as headings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from django.urls import reverse
from django.utils.timezone import localtime

from audit import sources, wording
from audit.sources import Titles
from audit.story.queries import RecentRun, TrailLine
from audit.vocabulary import ACTIONS, Result
from opspilot.presentation.days import are_all_on
from opspilot.presentation.shapes import Entry, Source, State

_ICONS = {
    "conhecimento.consultado": "book",
    "historico.lido": "trail",
    "entidade.registrada": "person",
}


@dataclass(frozen=True, slots=True)
class TrailEntry(Entry):
    """A line of a timeline. `stored` is text of the row itself, in Portuguese whoever reads it."""

    stored: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """Everything one run did about the entity, oldest first, titled by its last effect."""

    id: str
    title: str
    state: State
    word: str
    url: str
    entries: list[TrailEntry]
    sources: list[Source]
    dated: bool  # some entry fell on another day than the one it stands under


@dataclass(frozen=True, slots=True)
class Recent:
    """A run as a line of a list."""

    url: str
    title: str
    sub: str
    state: State
    word: str
    at: dt.datetime


def entry(line: TrailLine) -> TrailEntry:
    """One row of the trail as a line of a timeline; an address it can be undone at is a link."""
    url, place = wording.reversal(line.reversal or "")
    words, by = wording.action(line.action, line.result), wording.person(line)
    stored = [wording.stored(line), place if not url else ""]
    return TrailEntry(
        time=line.at,
        text=f"{words} · {by}" if by else words,
        icon=_ICONS.get(line.action, ""),
        state=wording.state(line.action, line.result),
        sub=" · ".join(wording.details(line)),
        url=url,
        link=place if url else "",
        stored=" · ".join(part for part in stored if part),
    )


def recent(run: RecentRun) -> Recent:
    return Recent(
        url=reverse("audit:correlation", args=[run.correlation_id]),
        title=wording.action(run.action, run.result),
        sub=wording.person(run),
        state=wording.state(run.action, run.result),
        word=wording.result(run.action, run.result),
        at=run.at,
    )


def days(lines: Sequence[TrailLine]) -> list[tuple[dt.datetime, list[Story]]]:
    """Stories grouped by the local day of their newest row, newest first; readings of the history
    come last in their day, together."""
    known = sources.titles(line.sources for line in lines)
    groups = sorted(_groups(lines), key=lambda group: group[0].at, reverse=True)
    groups.sort(key=lambda group: (-_day(group[0]).toordinal(), _is_reading(group[0])))
    return [
        (max(group[0].at for group in of_day), [_story(group, known) for group in of_day])
        for _date, found in groupby(groups, key=lambda group: _day(group[0]))
        if (of_day := list(found))
    ]


def _groups(lines: Sequence[TrailLine]) -> Iterable[list[TrailLine]]:
    """Rows of one run together; the readings of one day together."""
    groups: dict[UUID | dt.date, list[TrailLine]] = {}
    for line in lines:
        key = _day(line) if _is_reading(line) else line.correlation_id
        groups.setdefault(key, []).append(line)
    return groups.values()


def _day(line: TrailLine) -> dt.date:
    return localtime(line.at).date()


def _is_reading(line: TrailLine) -> bool:
    return line.action == "historico.lido"


def _story(newest_first: list[TrailLine], known: Titles) -> Story:
    lines = list(reversed(newest_first))
    last = _last_effect(newest_first)
    run = lines[0].correlation_id
    entries = [entry(line) for line in lines]
    return Story(
        id=f"leituras-{_day(last)}" if _is_reading(last) else f"rodada-{run}",
        title=wording.action(last.action, last.result),
        state=wording.state(last.action, last.result),
        word=wording.result(last.action, last.result),
        url="" if _is_reading(last) else reverse("audit:correlation", args=[run]),
        entries=entries,
        sources=sources.cited((item for line in lines for item in line.sources), known),
        dated=not are_all_on(_day(newest_first[0]), entries),
    )


def _last_effect(newest_first: list[TrailLine]) -> TrailLine:
    effects = (
        line
        for line in newest_first
        if line.action in ACTIONS and ACTIONS[line.action].effect and line.result != Result.PENDENTE
    )
    return next(effects, newest_first[0])
