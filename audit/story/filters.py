"""What of a history is shown: kind and period, both in the address."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _

from audit.days import after, readers_midnight
from audit.story.queries import Place, Wanted
from audit.vocabulary import ACTIONS, Result
from opspilot.presentation.addresses import whole_number
from opspilot.presentation.shapes import Chip

READING = "historico.lido"
KINDS = ("efeito", "decisoes", "recusas", "leituras")
PERIODS = {"hoje": 1, "7d": 7, "30d": 30}
_YEARS = (1970, 9000)  # a trail has no rows outside them, and a month before or after one exists


@dataclass(frozen=True, slots=True)
class Chosen:
    """The filters of an address; what the address has wrong is left out. `kind` is one of KINDS or
    the name of one action; with none, everything but the readings of the history is shown."""

    kind: str = ""
    period: str = ""
    first: dt.date | None = None
    last: dt.date | None = None
    before: Place | None = None
    after: Place | None = None

    @property
    def is_further(self) -> bool:
        """Whether this is not the newest page."""
        return self.before is not None or self.after is not None

    @property
    def is_on(self) -> bool:
        return bool(self.kind or self.period or self.first or self.last)

    @property
    def wanted(self) -> Wanted:
        first, last = self._days()
        return Wanted(
            actions=_actions(self.kind),
            results=[Result.RECUSADO] if self.kind == "recusas" else None,
            since=readers_midnight(first) if first else None,
            until=readers_midnight(after(last)) if last and last < dt.date.max else None,
            without=None if self.kind else [READING],
        )

    def _days(self) -> tuple[dt.date | None, dt.date | None]:
        if self.period:
            back = dt.timedelta(days=PERIODS[self.period] - 1)
            return timezone.localdate() - back, None
        return self.first, self.last

    def address(self, **changes: str) -> str:
        """A query with these values instead; a page further back is never kept."""
        mine = {
            "acao": self.kind,
            "periodo": self.period,
            "de": self.first.isoformat() if self.first else "",
            "ate": self.last.isoformat() if self.last else "",
        }
        return "?" + urlencode({name: value for name, value in (mine | changes).items() if value})


def chosen(query: Mapping[str, str]) -> Chosen:
    kind, period = query.get("acao", ""), query.get("periodo", "")
    return Chosen(
        kind=kind if kind in KINDS or kind in ACTIONS else "",
        period=period if period in PERIODS else "",
        first=_date(query.get("de", "")),
        last=_date(query.get("ate", "")),
        before=place(query.get("antes", "")),
        after=place(query.get("depois", "")),
    )


def older(filters: Chosen, end: Place) -> str:
    """The address of what came before the last row of a page."""
    return filters.address(antes=_written(end))


def newer(filters: Chosen, start: Place) -> str:
    """The address of what came after the first row of a page."""
    return filters.address(depois=_written(start))


def following(end: Place) -> str:
    """The address of what came after the last row of a run's page."""
    return "?" + urlencode({"depois": _written(end)})


def place(text: str) -> Place | None:
    """A place as an address has it; None for what is none."""
    moment, _comma, digits = text.rpartition(",")
    try:
        at = parse_datetime(moment)
    except ValueError:
        return None
    number = whole_number(digits, most=10**18)
    known = at and at.tzinfo and _YEARS[0] < at.year < _YEARS[1] and number is not None
    return Place(at, number) if at and number is not None and known else None


def actions(filters: Chosen) -> list[tuple[str, str, bool]]:
    """(value, words, chosen) of every action a person can ask for by name."""
    words = {name: str(action.words) for name, action in ACTIONS.items() if name != READING}
    ordered = sorted(words.items(), key=lambda item: item[1])
    return [(name, said, filters.kind == name) for name, said in ordered]


def kinds(filters: Chosen) -> list[Chip]:
    words = {
        "": _("ações"),
        "efeito": _("com efeito"),
        "decisoes": _("decisões"),
        "recusas": _("recusas"),
        "leituras": _("leituras"),
    }
    if filters.kind in ACTIONS:
        words[filters.kind] = str(ACTIONS[filters.kind].words)
    return [
        Chip(word, filters.address(acao=kind), on=filters.kind == kind)
        for kind, word in words.items()
    ]


def periods(filters: Chosen) -> list[Chip]:
    words = {"": _("desde o início"), "hoje": _("hoje"), "7d": _("7 dias"), "30d": _("30 dias")}
    free = bool(filters.first or filters.last)
    return [
        Chip(
            word,
            filters.address(periodo=period, de="", ate=""),
            on=filters.period == period and not (free and not period),
        )
        for period, word in words.items()
    ]


def _actions(kind: str) -> list[str] | None:
    match kind:
        case "efeito":
            return [name for name, action in ACTIONS.items() if action.effect]
        case "decisoes":
            return [name for name in ACTIONS if name.startswith("aprovacao.")]
        case "leituras":
            return [READING]
        case name if name in ACTIONS:
            return [name]
        case _:
            return None


def _date(text: str) -> dt.date | None:
    try:
        return parse_date(text)
    except ValueError:
        return None


def _written(at: Place) -> str:
    return f"{at.at.isoformat()},{at.id}"
