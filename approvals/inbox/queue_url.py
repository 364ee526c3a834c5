"""What the address of a queue says: the tab and the filters. Nothing personal fits in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

DEFAULT = "para-mim"
TABS = (DEFAULT, "minhas", "andamento", "desconhecido", "decididas", "todas")
FILTERS = ("risco", "alvo", "por", "cobertura")
ORDERED = frozenset({DEFAULT, "andamento", "desconhecido"})
"""Tabs whose order can be chosen; the others look back, the newest first."""
BY_RISK = "risco"
NO_COVERAGE = "nenhuma"
_RISKS = frozenset({"baixo", "medio", "alto"})
_COVERAGES = frozenset({"alta", "media", "baixa", NO_COVERAGE})
_SUBJECT = re.compile(r"[a-z]{1,20}-[0-9]{1,10}")
_MAX_TARGET = 120
_DIGITS_OF_A_DOCUMENT = 11  # a CPF has them, so does nothing a policy names


@dataclass(frozen=True, slots=True)
class Queue:
    """One tab and what narrows it. A filter is empty when it is off.

    `por` is a subject with a hyphen for its colon (`usuario-7`): internal, never a name.
    `ordem` is empty for the deadline first, BY_RISK for the risk. `explicit` names the tab also
    where it is the default: the bare address opens the view a person has chosen to see first.
    """

    tab: str = DEFAULT
    risco: str = ""
    alvo: str = ""
    por: str = ""
    cobertura: str = ""
    ordem: str = ""
    explicit: bool = field(default=False, compare=False)

    @property
    def subject(self) -> str:
        return self.por.replace("-", ":", 1)

    def chosen(self) -> dict[str, str]:
        """The filters that are on."""
        return {name: value for name in FILTERS if (value := str(getattr(self, name)))}

    def without(self, name: str) -> Queue:
        off: dict[str, Any] = {name: ""}
        return replace(self, **off)

    def on(self, tab: str) -> Queue:
        """The same filters in another tab."""
        return replace(self, tab=tab, ordem=self.ordem if tab in ORDERED else "")

    def unfiltered(self) -> Queue:
        return Queue(self.tab, ordem=self.ordem, explicit=self.explicit)

    def explicitly(self) -> Queue:
        return replace(self, explicit=True)

    def href(self, path: str, **more: str | int) -> str:
        """The path with what differs from the plain queue, then `more`; empty values left out."""
        said = self.chosen() | {"ordem": self.ordem}
        query = {"fila": self.tab if self.tab != DEFAULT else ""} | said | more
        pairs = [(name, value) for name, value in query.items() if value]
        if self.explicit and not pairs:
            pairs = [("fila", self.tab)]
        return f"{path}?{urlencode(pairs)}" if pairs else path


def parse(query: Mapping[str, str]) -> Queue:
    """The queue an address names; a value that cannot be one is as if it were not there."""
    tab, found = query.get("fila", ""), {name: query.get(name, "") for name in FILTERS}
    possible = {
        "risco": found["risco"] in _RISKS,
        "alvo": _may_be_target(found["alvo"]),
        "por": _SUBJECT.fullmatch(found["por"]) is not None,
        "cobertura": found["cobertura"] in _COVERAGES,
    }
    kept = {name: value for name, value in found.items() if possible[name]}
    tab = tab if tab in TABS else DEFAULT
    by_risk = tab in ORDERED and query.get("ordem") == BY_RISK
    explicit = query.get("fila") == DEFAULT
    return Queue(tab, **kept, ordem=BY_RISK if by_risk else "", explicit=explicit)


def parse_text(query: str) -> Queue:
    """The same of a query string."""
    return parse(dict(parse_qsl(query)))


def subject_in_url(subject: str) -> str:
    return subject.replace(":", "-", 1)


def _may_be_target(text: str) -> bool:
    digits = sum(letter.isdigit() for letter in text)
    return len(text) <= _MAX_TARGET and text.isprintable() and digits < _DIGITS_OF_A_DOCUMENT
