"""What each agent cost, day by day, as charts with their tables. A cost nobody reported is not zero."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from audit import days
from audit.costs.verifying import QUERY
from audit.reports import catalogue, coverage, formats, parameters, recording, running, screen
from audit.reports.parameters import Bound
from audit.reports.shapes import Row
from opspilot.presentation.formats import date_text, money_text, number_text
from opspilot.presentation.shapes import Point
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Principal

MOST_ROWS = 10_000  # an agent's day each
CHARTS = 8  # the agents that cost most
_DAY = dt.timedelta(days=1)


@dataclass(slots=True)
class AgentCost:
    """`unknown`: rows that do not tell their cost, by day; then a sum is a lower bound."""

    agent: str
    days: dict[dt.date, Decimal] = field(default_factory=dict)
    unknown: dict[dt.date, int] = field(default_factory=dict)

    @property
    def total(self) -> Decimal:
        return sum(self.days.values(), Decimal(0))

    @property
    def is_floor(self) -> bool:
        return any(self.unknown.values())

    @property
    def is_worth_a_chart(self) -> bool:
        return bool(self.total) or self.is_floor


@dataclass(frozen=True, slots=True)
class Chart:
    caption: str
    points: Sequence[Point]


def blank(raw: Mapping[str, str], faults: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The fields as they were given, with what is wrong with them."""
    return {"form": parameters.filled_form(catalogue.get(QUERY), raw, faults)}


def answered(principal: Principal, raw: Mapping[str, str]) -> dict[str, Any]:
    """The page; that it was read is a row of the trail, as for the query it asks."""
    query = catalogue.get(QUERY)
    bound = parameters.bind(query, raw, now=clock.now())
    formats.refuse_more_than(MOST_ROWS, query, bound)
    rows = list(running.stream(query, bound))
    recording.viewed(principal, query, bound, rows=len(rows))
    agents = _agents(query.names, rows)
    covered = coverage.of(bound, rows=len(rows), more=False, behind=False)
    shown = [one for one in agents if one.is_worth_a_chart]
    return {
        "form": parameters.filled_form(query, bound.address),
        "covered": screen.covered(covered),
        "has_rows": bool(rows),
        "nothing": "" if rows else screen.nothing_found(bound, covered),
        "total": _said(agents),
        "totals": [_total(one) for one in agents],
        "charts": [_chart(one, bound) for one in shown[:CHARTS]],
        "not_drawn": max(0, len(shown) - CHARTS),
        "query_string": bound.query_string,
    }


def _agents(names: Sequence[str], rows: Sequence[Row]) -> list[AgentCost]:
    """The dearest first."""
    found: dict[str, AgentCost] = {}
    for row in rows:
        values = dict(zip(names, row, strict=True))
        one = found.setdefault(values["agente"], AgentCost(values["agente"]))
        one.days[values["dia"]] = values["custo_centavos"] or Decimal(0)
        one.unknown[values["dia"]] = values["sem_custo"]
    return sorted(found.values(), key=lambda one: (-one.total, one.agent))


def _total(one: AgentCost) -> Point:
    return Point(_floored(one.agent, is_floor=one.is_floor), one.total)


def _chart(one: AgentCost, bound: Bound) -> Chart:
    points = [_point(one, day) for day in _span(one, bound)]
    return Chart(f"{one.agent}: {_money(one.total, is_floor=one.is_floor)}", points)


def _point(one: AgentCost, day: dt.date) -> Point:
    noon = dt.datetime.combine(day, dt.time(12), tzinfo=timezone.get_default_timezone())
    label = date_text(noon, language=_language())
    return Point(
        _floored(label, is_floor=bool(one.unknown.get(day))), one.days.get(day, Decimal(0))
    )


def _span(one: AgentCost, bound: Bound) -> list[dt.date]:
    """Every day from the period's first, or the agent's, to the agent's last: a quiet day is zero."""
    last, since = max(one.days), bound.period.since
    first = days.of(since) if since else None
    day = max(first, min(one.days)) if first else min(one.days)
    return [day + _DAY * place for place in range((last - day).days + 1)]


def _said(agents: Sequence[AgentCost]) -> str:
    """The whole in one sentence, with how many rows do not know their cost."""
    total = sum((one.total for one in agents), Decimal(0))
    unknown = sum(sum(one.unknown.values()) for one in agents)
    if not unknown:
        return _("Todos juntos: %(amount)s.") % {"amount": _money(total, is_floor=False)}
    words = ngettext(
        "Todos juntos: %(amount)s; %(count)s linha não informa o custo.",
        "Todos juntos: %(amount)s; %(count)s linhas não informam o custo.",
        unknown,
    )
    count = number_text(unknown, language=_language())
    return words % {"amount": _money(total, is_floor=True), "count": count}


def _floored(label: str, *, is_floor: bool) -> str:
    return _("%(label)s (pelo menos)") % {"label": label} if is_floor else label


def _money(centavos: Decimal, *, is_floor: bool) -> str:
    words = money_text(centavos, language=_language())
    return _("pelo menos %(amount)s") % {"amount": words} if is_floor else words


def _language() -> str:
    return get_language() or "pt-br"
