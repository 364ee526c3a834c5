"""What the components take, so that a view that builds a list is type-checked. Plain data:
texts are raw (templates make hidden characters visible and escape), words already translated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal

State = Literal["pending", "running", "done", "attention", "failed", "unknown"]
FieldKind = Literal["text", "pre", "tokens", "mono", "host"]


@dataclass(frozen=True, slots=True)
class Tab:
    label: str
    url: str
    current: bool = False
    count: int | str | None = None  # or its words, where it was not counted to the end


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter with a URL. `removes` marks a chip whose link takes the filter away."""

    label: str
    url: str
    on: bool = False
    count: int | None = None
    removes: bool = False
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """One cell of the fact strip. `level` draws a risk, `at` a time after the value."""

    label: str
    value: str = ""
    note: str = ""
    level: str = ""
    at: datetime | None = None
    state: State | Literal[""] = ""


@dataclass(frozen=True, slots=True)
class FrozenField:
    """A field of a frozen action. `tokens` takes a sequence, the other kinds one text."""

    label: str
    value: str | Sequence[str]
    note: str = ""
    kind: FieldKind = "text"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a timeline."""

    time: datetime
    text: str
    icon: str = ""
    state: State | Literal[""] = ""
    sub: str = ""
    url: str = ""
    link: str = ""  # words of the link; without them the text itself is the link


@dataclass(frozen=True, slots=True)
class Source:
    title: str
    url: str
    version: int | None = None
    part: int | None = None
    sub: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    word: str
    state: State
    current: bool = False


@dataclass(frozen=True, slots=True)
class Point:
    """One value of a chart. None is a gap, said as "sem dados" and never drawn as zero."""

    label: str
    value: Decimal | int | float | None
    state: State | Literal[""] = ""  # colours a bar; its word must stand in the label
