"""Trail lines as timelines: one story per run, days as headings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from audit.queries import RecentRun, TrailLine
from audit.vocabulary import ACTIONS, Authorization, Result
from opspilot.presentation.days import are_all_on
from opspilot.presentation.formats import money_text
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
    dated: bool  # some entry fell on another day than the one it stands under


def entry(line: TrailLine) -> Entry:
    """One row of the trail as a line of a timeline; an address it can be undone at is a link."""
    action = ACTIONS[line.action]
    url, place = _reversal(line.reversal or "")
    words = str(action.words) if line.result != Result.PENDENTE else _("Proposta preparada")
    by = line.approved_by or line.input or line.agent
    details = [
        _("autorização: %(kind)s") % {"kind": Authorization(line.authorization).label},
        _("política %(number)s") % {"number": line.policy_version} if line.policy_version else "",
        line.output or "",
        line.error or "",
        _sources(line.sources),
        _cost(line.cost) if line.cost != 0 or action.useful else "",
        _("reversível") if line.reversible else "",
        place if not url else "",
    ]
    return Entry(
        time=line.at,
        text=f"{words} · {by}" if not by.startswith("sha256") else words,
        icon=_ICONS.get(line.action, ""),
        state=_state(line),
        sub=" · ".join(str(part) for part in details if part),
        url=url,
        link=place if url else "",
    )


def _sources(sources: Sequence[Mapping[str, Any]]) -> str:
    """How many passages the row rests on and of which versions, by id; or the files it is about."""
    files = [str(source["arquivo"]) for source in sources if "arquivo" in source]
    passages = {source.get("trecho") for source in sources} - {None}
    if not passages:
        return ", ".join(files)
    versions = dict.fromkeys(s.get("versao") for s in sources)
    words = ngettext(
        "%(count)s trecho (versões de id %(ids)s)",
        "%(count)s trechos (versões de id %(ids)s)",
        len(passages),
    )
    return words % {"count": len(passages), "ids": ", ".join(map(str, versions))}


def _cost(cost: Decimal | None) -> str:
    """Unknown is said, and nothing is said to be nothing."""
    if cost == 0:
        return _("sem custo")
    amount = (
        _("não informado") if cost is None else money_text(cost, language=get_language() or "pt-br")
    )
    return _("custo: %(amount)s") % {"amount": amount}


def _reversal(reference: str) -> tuple[str, str]:
    """(address, words) of what undoes the row; no address for what a browser should not open."""
    try:
        parts = urlsplit(reference)
    except ValueError:
        return "", reference
    if parts.scheme in {"http", "https"} and parts.netloc:
        return reference, f"{parts.netloc}{parts.path}"
    return "", reference


def _state(line: TrailLine) -> State:
    """A search without basis ended as it should: nothing failed."""
    if line.action == "conhecimento.consultado" and line.result == Result.RECUSADO:
        return "pending"
    return _STATES[line.result]


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
    by = run.input if run.input and not run.input.startswith("sha256") else ""
    return Recent(
        url=reverse("audit:correlation", args=[run.correlation_id]),
        title=str(ACTIONS[run.action].words) if run.action in ACTIONS else run.action,
        sub=by,
        state=_STATES[run.result],
        word=str(Result(run.result).label),
        at=run.at,
    )


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
    effects = (
        line
        for line in newest_first
        if ACTIONS[line.action].effect and line.result != Result.PENDENTE
    )
    last = next(effects, newest_first[0])
    run = lines[0].correlation_id
    entries = [entry(line) for line in lines]
    return Story(
        id=f"rodada-{run}",
        title=str(ACTIONS[last.action].words),
        state=_state(last),
        word=str(Result(last.result).label),
        url="" if _is_reading(last) else reverse("audit:correlation", args=[run]),
        entries=entries,
        dated=not are_all_on(_day(newest_first[0]), entries),
    )
