"""The checks as the page and the dashboard draw them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from opspilot.conectores import checks, load, traffic, words
from opspilot.conectores.models import Connector, ConnectorCheck
from opspilot.presentation.shapes import Fact, State

STATES: dict[str, tuple[State, str | Promise]] = {
    "ok": ("done", gettext_lazy("tudo certo")),
    "atencao": ("attention", gettext_lazy("atenção")),
    "falha": ("failed", gettext_lazy("falha")),
}
_FIRST = ("falha", "atencao", "ok")
BASES: dict[str, str | Promise] = {
    "sem_politica": gettext_lazy(
        "Sua empresa não tem política em vigor: só o sistema e o token foram conferidos."
    ),
    "politica_ilegivel": gettext_lazy(
        "A política em vigor não pode ser lida: só o sistema e o token foram conferidos."
    ),
}


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    about: str
    state: State
    word: str
    meaning: str
    act: str


@dataclass(frozen=True, slots=True)
class Card:
    """One connector. `empty` is the title and the text where there is nothing to list."""

    key: str
    title: str
    facts: list[Fact]
    lines: list[Line]
    note: str = ""
    old: bool = False
    empty: tuple[str, str] | None = None

    @property
    def wrong(self) -> list[Line]:
        """What needs a person; the rest is folded."""
        return [line for line in self.lines if line.state != "done"]

    @property
    def well(self) -> list[Line]:
        return [line for line in self.lines if line.state == "done"]


@dataclass(frozen=True, slots=True)
class Trouble:
    """For the dashboard: a connector that is not ok, and the first thing that is wrong."""

    title: str
    sub: str
    state: State
    word: str


def cards(now: dt.datetime) -> list[Card]:
    """What there is to do first, then each remote, and the configured providers of models."""
    rows, models = checks.rows(), [one["name"] for one in settings.OPSPILOT_PROVIDERS]
    facts = traffic.facts([*Connector.values, *map(traffic.of_model, models)], now)
    return [
        Card("carga", _("Carga"), load.facts(now), []),
        *(_card(one, rows.get(one.value), facts[one.value], now) for one in Connector),
        *(_model(name, facts[traffic.of_model(name)]) for name in models),
    ]


def troubles(now: dt.datetime) -> list[Trouble]:
    """Nothing while all that was checked is well, and what there is to do is being done."""
    busy = load.standing(now)
    first = [Trouble(*busy, "attention", _("carga alta"))] if busy else []
    return first + [
        _trouble(row)
        for row in sorted(checks.rows().values(), key=lambda row: row.connector)
        if row.worst in {"atencao", "falha"}
    ]


def _trouble(row: ConnectorCheck) -> Trouble:
    state, word = STATES[row.worst]
    first = _lines(row.findings)[0]
    title = f"{row.get_connector_display()}: {word}"
    return Trouble(title, f"{first.name}: {first.meaning}", state, str(word))


def _card(
    connector: Connector, row: ConnectorCheck | None, traffic_facts: list[Fact], now: dt.datetime
) -> Card:
    state, word, empty = _summary(connector, row)
    checked = row.checked_at if row else None
    old = bool(row and row.worst and checked and now - checked > checks.OLD)
    facts = [
        Fact(_("Estado"), word, state=state),
        Fact(_("Conferido"), _("nunca") if checked is None else "", at=checked),
        *traffic_facts,
    ]
    return Card(
        key=connector.value,
        title=str(connector.label),
        facts=facts,
        lines=_lines(row.findings) if row else [],
        note=str(BASES.get(row.basis, "")) if row else "",
        old=old,
        empty=empty,
    )


def _model(name: str, facts: list[Fact]) -> Card:
    """Nothing is checked of a provider: what it answers shows how it fares."""
    return Card(f"modelo-{name}", _("Modelos de %(name)s") % {"name": name}, facts, [])


def _summary(
    connector: Connector, row: ConnectorCheck | None
) -> tuple[State, str, tuple[str, str] | None]:
    if row is not None and row.basis == "nao_configurado":
        text = _("Quem cuida da instalação define o endereço em OPSPILOT_%(name)s_URL.")
        title = _("Este conector não está configurado")
        return "pending", _("não configurado"), (title, text % {"name": connector.value.upper()})
    if row is None or row.checked_at is None:
        text = _("O console confere sozinho; o primeiro resultado aparece aqui.")
        return "pending", _("ainda não conferido"), (_("Ainda não foi conferido"), text)
    state, word = STATES[row.worst]
    return state, str(word), None


def _lines(findings: list[dict[str, Any]]) -> list[Line]:
    """What is wrong first, else in the order in which it was asked."""
    ordered = sorted(findings, key=lambda found: _FIRST.index(found["state"]))
    return [_line(found["check"], found["state"], found["facts"]) for found in ordered]


def _line(check: str, state: str, facts: Mapping[str, Any]) -> Line:
    meaning, act = words.of(check, state, facts)
    drawn, word = STATES[state]
    about = _about(facts)
    return Line(str(words.NAMES.get(check, check)), about, drawn, str(word), meaning, act)


def _about(facts: Mapping[str, Any]) -> str:
    if "template" in facts:
        return str(facts.get("nome") or _("template %(n)s") % {"n": facts["template"]})
    if "projeto" in facts:
        return str(facts.get("caminho") or _("projeto %(n)s") % {"n": facts["projeto"]})
    return ""
