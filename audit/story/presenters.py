"""Trail lines as timelines: one story per run, days as headings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from uuid import UUID

from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from audit import sources, wording
from audit.sources import Titles
from audit.story import answers, folding
from audit.story.answers import Answer
from audit.story.lines import TrailEntry, entry
from audit.story.queries import RecentRun, TrailLine
from audit.vocabulary import ACTIONS, Result
from opspilot.presentation.days import are_all_on
from opspilot.presentation.shapes import Source, State

__all__ = ["TrailEntry", "entry"]  # also read here by the pages of runs


@dataclass(frozen=True, slots=True)
class Story:
    """Everything one run did about the entity, oldest first, titled by its last effect."""

    id: str
    title: str
    state: State
    word: str
    url: str
    entries: list[TrailEntry]
    sources: list[Source]  # where no answer of the story has them
    dated: bool  # some entry fell on another day than the one it stands under
    answers: list[Answer] = field(default_factory=list)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Telling:
    """Which runs of a page are told whole, with their rows newest first, and which are told on a
    newer page. Of any other run the page has only the rows that fell on it."""

    whole: Mapping[UUID, list[TrailLine]]
    elsewhere: frozenset[UUID] = frozenset()

    def rows(self, of_page: list[TrailLine]) -> list[TrailLine]:
        run = of_page[0].correlation_id
        return [] if run in self.elsewhere else self.whole.get(run, of_page)

    def note(self, of_page: list[TrailLine]) -> str:
        run = of_page[0].correlation_id
        if run in self.elsewhere:
            return _("Contada inteira numa página mais nova deste histórico.")
        if run not in self.whole and not _is_reading(of_page[0]):
            return _("Esta rodada tem muitas linhas e continua: aqui estão só as desta página.")
        return ""


@dataclass(frozen=True, slots=True)
class Recent:
    """A run as a line of a list."""

    url: str
    title: str
    sub: str
    state: State
    word: str
    at: dt.datetime


def recent(run: RecentRun) -> Recent:
    return Recent(
        url=reverse("audit:correlation", args=[run.correlation_id]),
        title=wording.action(run.action, run.result, run.output),
        sub=wording.person(run),
        state=wording.state(run.action, run.result, run.output),
        word=wording.result(run.action, run.result, run.output),
        at=run.at,
    )


def days(
    lines: Sequence[TrailLine], telling: Telling | None = None
) -> list[tuple[dt.datetime, list[Story]]]:
    """Stories grouped by the local day of their newest row among `lines`, newest first; readings of
    the history come last in their day, together. Without `telling` these are all the rows."""
    groups = sorted(_groups(lines), key=lambda group: group[0].at, reverse=True)
    groups.sort(key=lambda group: (-_day(group[0]).toordinal(), _is_reading(group[0])))
    how = telling or Telling({group[0].correlation_id: group for group in groups})
    known = sources.titles(line.sources for group in groups for line in how.rows(group))
    return [
        (max(group[0].at for group in of_day), [_story(group, how, known) for group in of_day])
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


def _story(of_page: list[TrailLine], how: Telling, known: Titles) -> Story:
    """`of_page`: the story's rows on this page, newest first, under whose day it stands."""
    reading = _is_reading(of_page[0])
    told = of_page if reading else how.rows(of_page)
    last, run = _last_effect(told or of_page), of_page[0].correlation_id
    entries = folding.entries(list(reversed(told)))
    cited = sources.cited((item for line in told for item in line.sources), known)
    answered = answers.of(told, cited)
    return Story(
        id=f"leituras-{_day(last)}" if reading else f"rodada-{run}",
        title=wording.action(last.action, last.result, last.output),
        state=wording.state(last.action, last.result, last.output),
        word=wording.result(last.action, last.result, last.output),
        url="" if reading else reverse("audit:correlation", args=[run]),
        entries=entries,
        sources=[] if answered else cited,
        dated=not are_all_on(_day(of_page[0]), entries),
        answers=answered,
        note=how.note(of_page),
    )


def _last_effect(newest_first: list[TrailLine]) -> TrailLine:
    effects = (
        line
        for line in newest_first
        if line.action in ACTIONS and ACTIONS[line.action].effect and line.result != Result.PENDENTE
    )
    return next(effects, newest_first[0])
