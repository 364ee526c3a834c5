"""What the address of a queue says: the tab and the filters. Nothing personal fits in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from urllib.parse import urlencode

DEFAULT = "para-mim"
TABS = (DEFAULT, "minhas", "andamento", "desconhecido", "decididas", "todas")
FILTERS = ("risco", "alvo", "por", "cobertura")
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
    """

    tab: str = DEFAULT
    risco: str = ""
    alvo: str = ""
    por: str = ""
    cobertura: str = ""

    @property
    def subject(self) -> str:
        return self.por.replace("-", ":", 1)

    def chosen(self) -> dict[str, str]:
        """The filters that are on."""
        return {name: value for name in FILTERS if (value := str(getattr(self, name)))}

    def without(self, name: str) -> Queue:
        return replace(self, **{name: ""})

    def on(self, tab: str) -> Queue:
        """The same filters in another tab."""
        return replace(self, tab=tab)

    def unfiltered(self) -> Queue:
        return Queue(self.tab)

    def href(self, path: str, **more: str | int) -> str:
        """The path with what differs from the plain queue, then `more`; empty values left out."""
        said = asdict(self) | {"tab": ""}
        query = {"fila": self.tab if self.tab != DEFAULT else ""} | said | more
        pairs = [(name, value) for name, value in query.items() if value]
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
    return Queue(tab if tab in TABS else DEFAULT, **kept)


def subject_in_url(subject: str) -> str:
    return subject.replace(":", "-", 1)


def _may_be_target(text: str) -> bool:
    digits = sum(letter.isdigit() for letter in text)
    return len(text) <= _MAX_TARGET and text.isprintable() and digits < _DIGITS_OF_A_DOCUMENT
