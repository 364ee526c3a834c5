"""Consults whose answer was there to be found, or was taken away: what coverage is judged on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from grounding.retrieval.coverage import Coverage, Signals

# What a consult counts for: half of what is asked can be answered; of the other half one in two
# lacks only the passage, and one in two the whole document.
SHARES = {"": 1.0, "passage": 0.5, "document": 0.5}


@dataclass(frozen=True, slots=True)
class Judgement:
    """Coverage of one consult, and whether what answers the question was there to be found."""

    removed: str  # "", "passage" or "document"
    answerable: bool
    signals: Signals
    coverage: Coverage
    found: bool = False  # what answers it is among the first five
    gap_probability: float = 0.0  # by the reference heuristic, on the vector leg's cosines


@dataclass(frozen=True, slots=True)
class Row:
    """One consult; those with one `group` never stand on both sides of a fold."""

    question: str
    group: str
    removed: str
    answerable: bool
    signals: Signals
    weight: float = 1.0


def as_rows(lines: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Back from what an evaluation wrote."""
    return [Row(**{**line, "signals": Signals(**line["signals"])}) for line in lines]
