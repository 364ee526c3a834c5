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
        state=_state(line),
        sub=" · ".join(str(part) for part in details if part),
    )


def _state(line: TrailLine) -> State:
    """A search without basis ended as it should: nothing failed."""
    if line.action == "conhecimento.consultado" and line.result == Result.RECUSADO:
        return "pending"
    return _STATES[line.result]


def days(lines: Sequence[TrailLine]) -> list[tuple[dt.datetime, list[Story]]]:
    """Stories grouped by the local day of their newest row, newest first; readings of the history
    come last in their day, together."""
    groups = sorted(_groups(lines), key=lambda group: group[0].at, reverse=True)
    groups.sort(key=lambda group: (-_day(group[0]).toordinal(), _is_reading(group[0])))
    return [
        (max(group[0].at for group in of_day), [_story(group) for group in of_day])
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


def _story(newest_first: list[TrailLine]) -> Story:
    lines = list(reversed(newest_first))
    last = next((line for line in newest_first if ACTIONS[line.action].effect), newest_first[0])
    run = lines[0].correlation_id
    return Story(
        id=f"rodada-{run}",
        title=str(ACTIONS[last.action].words),
        state=_state(last),
        word=str(Result(last.result).label),
        url="" if _is_reading(last) else reverse("audit:correlation", args=[run]),
        entries=[entry(line) for line in lines],
    )
