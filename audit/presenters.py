"""Trail lines as timelines: one story per run, days as headings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from audit.queries import TrailLine
from audit.vocabulary import ACTIONS, Authorization, Result
from opspilot.presentation.shapes import Entry, State

_STATES: dict[str, State] = {
    Result.OK: "done",
    Result.RECUSADO: "failed",
    Result.ERRO: "attention",
    Result.DESCONHECIDO: "unknown",
    Result.PENDENTE: "pending",
    Result.EXPIRADO: "failed",
}
_ICONS = {
    "conhecimento.consultado": "book",
    "historico.lido": "trail",
    "entidade.registrada": "person",
}


@dataclass(frozen=True, slots=True)
class Story:
    """Everything one run did about the entity, oldest first, titled by its last effect."""

    id: str
    title: str
    state: State
    word: str
    url: str
    entries: list[Entry]


def entry(line: TrailLine) -> Entry:
    """One row of the trail as a line of a timeline."""
    action = ACTIONS[line.action]
    words = str(action.words) if line.result != Result.PENDENTE else _("Proposta preparada")
    by = line.approved_by or line.input or line.agent
    details = [
        _("autorização: %(kind)s") % {"kind": Authorization(line.authorization).label},
        _("política %(number)s") % {"number": line.policy_version} if line.policy_version else "",
        line.output or "",
        line.error or "",
        _("reversível") if line.reversible else "",
    ]
    return Entry(
        time=line.at,
        text=f"{words} · {by}" if not by.startswith("sha256") else words,
        icon=_ICONS.get(line.action, ""),
        state=_STATES[line.result],
        sub=" · ".join(str(part) for part in details if part),
    )


def days(lines: Sequence[TrailLine]) -> list[tuple[dt.datetime, list[Story]]]:
    """Stories grouped by the local day of their newest row, newest first."""
    stories = [(group[0].at, _story(group)) for group in _by_run(lines)]
    stories.sort(key=lambda pair: pair[0], reverse=True)
    by_day = groupby(stories, key=lambda pair: localtime(pair[0]).date())
    return [
        (pairs[0][0], [story for _at, story in pairs])
        for _day, group in by_day
        if (pairs := list(group))
    ]


def _by_run(lines: Sequence[TrailLine]) -> Iterable[list[TrailLine]]:
    runs: dict[UUID, list[TrailLine]] = {}
    for line in lines:
        runs.setdefault(line.correlation_id, []).append(line)
    return runs.values()


def _story(newest_first: list[TrailLine]) -> Story:
    lines = list(reversed(newest_first))
    last = next((line for line in newest_first if ACTIONS[line.action].effect), newest_first[0])
    run = lines[0].correlation_id
    return Story(
        id=f"rodada-{run}",
        title=str(ACTIONS[last.action].words),
        state=_STATES[last.result],
        word=str(Result(last.result).label),
        url=reverse("audit:correlation", args=[run]),
        entries=[entry(line) for line in lines],
    )
