"""Stops as the shapes the templates draw."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.models import StopScope
from approvals.stops import stop_words
from approvals.stops.stopping import CONNECTORS, Past
from opspilot.api.models import Agent
from opspilot.paradas.forms import choice
from opspilot.presentation.shapes import State


@dataclass(frozen=True, slots=True)
class Line:
    """A stop and its end. `until` None = still in force."""

    url: str
    title: str
    reason: str
    since: dt.datetime
    by: str
    until: dt.datetime | None
    lifted_by: str
    lifted_reason: str
    state: State
    word: str


def line(past: Past) -> Line:
    stop, lift = past.stop, past.lift
    what = stop_words.what(stop)
    return Line(
        url=reverse("paradas:stop", args=[stop.ref]),
        title=f"{what[:1].upper()}{what[1:]}",
        reason=stop.reason,
        since=stop.at,
        by=stop.pressed_name,
        until=lift.at if lift else None,
        lifted_by=lift.lifted_name if lift else "",
        lifted_reason=lift.reason if lift else "",
        state="pending" if lift else "attention",
        word=_("levantada") if lift else _("em vigor"),
    )


def choices() -> list[tuple[str, str]]:
    """The whole company first, then the connectors, then every agent there ever was."""
    connectors = [(choice(StopScope.CONECTOR, name), _connector(name)) for name in CONNECTORS]
    agents = [
        (choice(StopScope.AGENTE, slug), _("O agente %(name)s") % {"name": slug})
        for slug in Agent.objects.order_by("slug").values_list("slug", flat=True)
    ]
    return [(choice(StopScope.EMPRESA), _("A empresa inteira")), *connectors, *agents]


def _connector(name: str) -> str:
    words = stop_words.CONNECTOR_WORDS.get(name, name)
    return _("Tudo o que chega ao %(name)s") % {"name": words}
