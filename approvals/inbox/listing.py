"""A queue as the shapes its page draws: tabs, filters, pages and what came since."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from approvals.forms import FilterForm
from approvals.inbox import queue, saved_views, wording
from approvals.inbox.queue import Choice, Mark, News, Page, Place
from approvals.inbox.queue_rows import BOUND
from approvals.inbox.queue_url import NO_COVERAGE, ORDERED, Queue, subject_in_url
from approvals.inbox.selectors import Row
from approvals.models import AgenteAprovacao, SavedView
from opspilot.presentation import risks
from opspilot.presentation.formats import bounded_text
from opspilot.presentation.shapes import Chip, State, Tab

_TABS = {
    "para-mim": gettext_lazy("Para mim"),
    "minhas": gettext_lazy("Minhas solicitações"),
    "andamento": gettext_lazy("Em andamento"),
    "desconhecido": gettext_lazy("Precisa de uma pessoa"),
    "decididas": gettext_lazy("Decididas"),
    "todas": gettext_lazy("Todas"),
}
_RANK = {
    value: rank for rank, value in enumerate(("alto", "medio", "baixo", "alta", "media", "baixa"))
}
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
    votes: str  # given and asked for, in words
    lacks: bool = False  # nobody is there who could decide it
    lender: str = ""  # whose vote it would be, where it is not the reader's own


@dataclass(frozen=True, slots=True)
class Pages:
    """Words and links under a list that is longer than one page; empty for one that is not."""

    shown: str = ""
    previous_url: str = ""
    next_url: str = ""
    start: bool = False  # the link back leads to the start of the queue


@dataclass(frozen=True, slots=True)
class KeptView:
    """A line of the page on which somebody keeps their views in order."""

    view: SavedView
    url: str
    words: str


@dataclass(frozen=True, slots=True)
class Walk:
    """From a proposal back to its queue and along it."""

    back_url: str
    label: str
    position: str = ""
    previous_url: str = ""
    next_url: str = ""


def line(row: Row, url: str, *, lacks: bool = False, lender: str = "") -> Line:
    proposal = row.proposal
    state, word = wording.state(proposal, row.execution, row.effect)
    if lacks:
        state, word = "attention", _("sem aprovador elegível")
    coverage = wording.coverage(proposal.cobertura)
    votes = _("%(votes)s de %(needed)s") % {
        "votes": row.votes,
        "needed": proposal.aprovacoes_exigidas,
    }
    words = wording.sentence(proposal)
    return Line(proposal, url, words, state, word, coverage, votes, lacks, lender)


def count_words(count: int) -> str:
    """A number of `queue`: "1.000+" for any that was not counted to its end."""
    return bounded_text(count, bound=BOUND, language=get_language() or "pt-br")


def tabs(asked: Queue, path: str, counts: Mapping[str, int]) -> list[Tab]:
    """The other tabs keep the filters, and count under them."""
    return [
        Tab(
            str(label),
            asked.on(tab).href(path),
            current=tab == asked.tab,
            count=count_words(counts[tab]) if tab in counts else None,
        )
        for tab, label in _TABS.items()
    ]


def chips(asked: Queue, path: str, choices: list[Choice]) -> list[Chip]:
    """The filters that are on and an order of one's own; each link takes its own away."""
    offered = _offered(asked, choices)
    on = {
        _worded(name, value, offered): asked.without(name) for name, value in asked.chosen().items()
    }
    if asked.ordem:
        on[_("Ordem: risco, depois prazo")] = asked.without("ordem")
    return [Chip(words, rest.href(path), on=True, removes=True) for words, rest in on.items()]


def filter_form(asked: Queue, choices: list[Choice]) -> FilterForm:
    chosen = asked.chosen() | {"ordem": asked.ordem}
    return FilterForm(chosen, _offered(asked, choices), ordered=asked.tab in ORDERED)


def without_each(
    asked: Queue, path: str, choices: list[Choice], hidden: Mapping[str, int]
) -> list[Chip]:
    """For a list that the filters leave empty: what appears without each of them."""
    offered, chosen = _offered(asked, choices), asked.chosen()
    words = gettext_lazy("Sem “%(filter)s”: %(count)s")
    return [
        Chip(
            str(words)
            % {"filter": _worded(name, chosen[name], offered), "count": count_words(count)},
            asked.without(name).href(path),
        )
        for name, count in hidden.items()
    ]


def hides(shown: int, whole: int) -> str:
    """How many lines the filters hide, where both numbers were counted to their end."""
    named = {"shown": count_words(shown), "whole": count_words(whole)}
    if max(shown, whole) > BOUND:
        return _("%(shown)s de %(whole)s.") % named
    if shown == whole:
        return _("%(shown)s de %(whole)s. O filtro não esconde nada.") % named
    words = ngettext(
        "%(shown)s de %(whole)s. O filtro esconde %(n)s.",
        "%(shown)s de %(whole)s. O filtro esconde %(n)s.",
        whole - shown,
    )
    return words % (named | {"n": count_words(whole - shown)})


def view_chips(asked: Queue, path: str, views: Sequence[SavedView]) -> list[Chip]:
    """The views a person keeps; the one whose address this is, is marked."""
    return [
        Chip(view.name, queue.explicitly().href(path), on=queue == asked)
        for view in views
        for queue in [saved_views.queue_of(view)]
    ]


def kept_views(views: Sequence[SavedView], path: str) -> list[KeptView]:
    found = [(view, saved_views.queue_of(view)) for view in views]
    return [
        KeptView(view, queue.explicitly().href(path), view_words(queue)) for view, queue in found
    ]


def view_words(asked: Queue) -> str:
    """A view in words, for somebody who forgot what is under its name."""
    people = {asked.por: asked.por}
    labels = FilterForm.base_fields
    parts = [
        f"{labels[name].label}: {_word(name, value, people)}"
        for name, value in asked.chosen().items()
        if name != "por"
    ]
    if asked.por:
        parts.append(_("de uma pessoa"))
    if asked.ordem:
        parts.append(_("por risco, depois prazo"))
    return " · ".join([str(_TABS[asked.tab]), *parts])


def pages(asked: Queue, path: str, page: Page) -> Pages:
    """By number as far as BOUND; from there on each page goes on after the last line before it."""
    number, total, shown = page.number, page.overview.mark.size, len(page.rows)
    after = _next(asked, path, page)
    if not number:
        return Pages(_("Depois das primeiras linhas"), asked.href(path), after, start=True)
    if total <= queue.LIMIT or not shown:
        return Pages()
    first = (number - 1) * queue.LIMIT + 1
    words = _("%(first)s a %(last)s de %(total)s") % {
        "first": first,
        "last": first + shown - 1,
        "total": count_words(total),
    }
    before = asked.href(path, pagina=number - 1 if number > 2 else "") if number > 1 else ""
    return Pages(words, before, after)


def _next(asked: Queue, path: str, page: Page) -> str:
    if not page.more:
        return ""
    if page.number and page.number * queue.LIMIT < BOUND:
        return asked.href(path, pagina=page.number + 1)
    return asked.href(path, depois=str(page.rows[-1].ref))


def walk(
    asked: Queue, place: Place, *, here: str, inbox: str, detail: Callable[[object], str]
) -> Walk:
    """`here` is the ref, which is also the id of the row that takes the focus on the way back."""
    position = _("%(position)s de %(length)s") % {
        "position": count_words(place.position),
        "length": count_words(place.length),
    }
    return Walk(
        _back(asked, place, inbox) + (f"#{here}" if place.position else ""),
        str(_TABS[asked.tab]),
        position if place.position else "",
        asked.href(detail(place.previous)) if place.previous else "",
        asked.href(detail(place.following)) if place.following else "",
    )


def _back(asked: Queue, place: Place, inbox: str) -> str:
    """The page of the list on which the proposal stands."""
    if place.position > BOUND:
        return asked.href(inbox, depois=str(place.previous))
    number = (place.position - 1) // queue.LIMIT + 1 if place.position else 1
    return asked.href(inbox, pagina=number if number > 1 else "")


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
        words = ngettext("%(n)s nova", "%(n)s novas", news.came)
        parts.append(words % {"n": count_words(news.came)})
    if news.left:
        words = ngettext("%(n)s já saiu", "%(n)s já saíram", news.left)
        parts.append(words % {"n": count_words(news.left)})
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
            return risks.word(value)
        case "por":
            return people.get(value, value)
        case "cobertura":
            return wording.coverage("" if value == NO_COVERAGE else value)
        case _:
            return value


def _worded(name: str, value: str, offered: dict[str, list[tuple[str, str]]]) -> str:
    label = FilterForm.base_fields[name].label
    return f"{label}: {dict(offered[name]).get(value, value)}"
