"""A queue as the shapes its page draws: tabs, filters, pages and what came since."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from approvals import queue, wording
from approvals.forms import FilterForm
from approvals.models import AgenteAprovacao
from approvals.queue import Choice, Mark, News, Place
from approvals.queue_url import NO_COVERAGE, Queue, subject_in_url
from approvals.selectors import Row
from opspilot.presentation.shapes import Chip, State, Tab

_TABS = {
    "para-mim": gettext_lazy("Para mim"),
    "minhas": gettext_lazy("Minhas solicitações"),
    "andamento": gettext_lazy("Em andamento"),
    "desconhecido": gettext_lazy("Precisa de uma pessoa"),
    "decididas": gettext_lazy("Decididas"),
    "todas": gettext_lazy("Todas"),
}
_RISKS = {
    "alto": gettext_lazy("alto"),
    "medio": gettext_lazy("médio"),
    "baixo": gettext_lazy("baixo"),
}
_RANK = {value: rank for rank, value in enumerate((*_RISKS, "alta", "media", "baixa"))}
_MARK = re.compile(r"([0-9]{1,17})-([0-9]{1,9})")
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND = dt.timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table."""

    proposal: AgenteAprovacao
    url: str
    sentence: str
    state: State
    word: str
    coverage: str
    votes: int


@dataclass(frozen=True, slots=True)
class Pages:
    """Words and links under a list that is longer than one page; empty for one that is not."""

    shown: str = ""
    previous_url: str = ""
    next_url: str = ""


@dataclass(frozen=True, slots=True)
class Walk:
    """From a proposal back to its queue and along it."""

    back_url: str
    label: str
    position: str = ""
    previous_url: str = ""
    next_url: str = ""


def line(row: Row, url: str) -> Line:
    proposal = row.proposal
    state, word = wording.state(proposal, row.execution)
    coverage = wording.coverage(proposal.cobertura)
    return Line(proposal, url, wording.sentence(proposal), state, word, coverage, row.votes)


def tabs(asked: Queue, path: str, counts: dict[str, int]) -> list[Tab]:
    """The other tabs keep the filters, and count under them."""
    return [
        Tab(str(label), asked.on(tab).href(path), current=tab == asked.tab, count=counts.get(tab))
        for tab, label in _TABS.items()
    ]


def chips(asked: Queue, path: str, choices: list[Choice]) -> list[Chip]:
    """The filters that are on; each link takes its filter away."""
    offered = _offered(asked, choices)
    return [
        Chip(_worded(name, value, offered), asked.without(name).href(path), on=True, removes=True)
        for name, value in asked.chosen().items()
    ]


def filter_form(asked: Queue, choices: list[Choice]) -> FilterForm:
    return FilterForm(asked.chosen(), _offered(asked, choices))


def without_each(
    asked: Queue, path: str, choices: list[Choice], hidden: dict[str, int]
) -> list[Chip]:
    """For a list that the filters leave empty: what appears without each of them."""
    offered, chosen = _offered(asked, choices), asked.chosen()
    words = gettext_lazy("Sem “%(filter)s”: %(count)s")
    return [
        Chip(
            str(words) % {"filter": _worded(name, chosen[name], offered), "count": count},
            asked.without(name).href(path),
        )
        for name, count in hidden.items()
    ]


def pages(asked: Queue, path: str, *, number: int, total: int) -> Pages:
    first, last = (number - 1) * queue.LIMIT + 1, min(number * queue.LIMIT, total)
    if total <= queue.LIMIT or first > total:
        return Pages()
    words = _("%(first)s a %(last)s de %(total)s") % {"first": first, "last": last, "total": total}
    before = asked.href(path, pagina=number - 1 if number > 2 else "") if number > 1 else ""
    return Pages(words, before, asked.href(path, pagina=number + 1) if last < total else "")


def walk(
    asked: Queue, place: Place, *, here: str, inbox: str, detail: Callable[[object], str]
) -> Walk:
    """`here` is the ref, which is also the id of the row that takes the focus on the way back."""
    number = (place.position - 1) // queue.LIMIT + 1 if place.position else 1
    page = number if number > 1 else ""
    back = asked.href(inbox, pagina=page) + (f"#{here}" if place.position else "")
    position = _("%(position)s de %(length)s") % {
        "position": place.position,
        "length": place.length,
    }
    return Walk(
        back,
        str(_TABS[asked.tab]),
        position if place.position else "",
        asked.href(detail(place.previous)) if place.previous else "",
        asked.href(detail(place.following)) if place.following else "",
    )


def mark_in_url(mark: Mark) -> str:
    """The moment of the newest row in microseconds and the size: nothing of any row."""
    newest = (mark.newest - _EPOCH) // _MICROSECOND if mark.newest else 0
    return f"{newest}-{mark.size}"


def parse_mark(text: str) -> Mark | None:
    found = _MARK.fullmatch(text)
    if found is None:
        return None
    microseconds = int(found[1])
    newest = _EPOCH + microseconds * _MICROSECOND if microseconds else None
    return Mark(newest, int(found[2]))


def news_words(news: News) -> str:
    """ "3 novas, 2 já saíram: mostrar"; empty when the list shown is still the list."""
    parts = []
    if news.came:
        parts.append(ngettext("%(n)s nova", "%(n)s novas", news.came) % {"n": news.came})
    if news.left:
        words = ngettext("%(n)s já saiu", "%(n)s já saíram", news.left)
        parts.append(words % {"n": news.left})
    return _("%(what)s: mostrar") % {"what": ", ".join(parts)} if parts else ""


def _offered(asked: Queue, choices: list[Choice]) -> dict[str, list[tuple[str, str]]]:
    """Values with their words, and the chosen one also where no row has it."""
    people = {subject_in_url(item.solicitante): item.solicitante_nome for item in choices}
    found = {
        "risco": {item.risco for item in choices},
        "alvo": {item.alvo for item in choices},
        "por": set(people),
        "cobertura": {item.cobertura for item in choices},
    }
    chosen = asked.chosen()
    return {
        name: sorted(
            ((v, _word(name, v, people)) for v in (values | {chosen.get(name, "")}) - {""}),
            key=lambda pair: (_RANK.get(pair[0], 0), pair[1]),
        )
        for name, values in found.items()
    }


def _word(name: str, value: str, people: dict[str, str]) -> str:
    match name:
        case "risco":
            return str(_RISKS.get(value, value))
        case "por":
            return people.get(value, value)
        case "cobertura":
            return wording.coverage("" if value == NO_COVERAGE else value)
        case _:
            return value


def _worded(name: str, value: str, offered: dict[str, list[tuple[str, str]]]) -> str:
    label = FilterForm.base_fields[name].label
    return f"{label}: {dict(offered[name]).get(value, value)}"
