"""What a consult may be narrowed to: the typed facts of a document, applied before any ranking."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Filters:
    """Both days count; None and "" ask for nothing. A document without the fact does not match."""

    since: dt.date | None = None
    until: dt.date | None = None
    kind: str = ""
    owner: str = ""

    def __bool__(self) -> bool:
        return self != NONE

    def as_json(self) -> dict[str, str]:
        """By the contract's names, only what was asked for."""
        days = {"data_de": self.since, "data_ate": self.until}
        said = {name: day.isoformat() for name, day in days.items() if day is not None}
        words = {"tipo": self.kind, "dono": self.owner}
        return said | {name: word for name, word in words.items() if word}


NONE = Filters()
