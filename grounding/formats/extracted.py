"""What a reader makes of a file: its text, and what a person should know about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

MAX_PLACES = 5  # of one sign; the count still says how many there are
MAX_CONTEXT = 240  # characters of one place

Kind = Literal["text", "markdown", "html", "pdf", "docx", "csv", "xlsx", "zip"]
Where = Literal["line", "page", "sheet", "comment", "file"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was noticed, and the words around it. `at` is a number or a name."""

    where: Where
    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Sign:
    """Something noticed while reading. `detail` is how often, or which one: never the file's text."""

    code: str
    detail: str = ""
    places: tuple[Place, ...] = ()

    @property
    def written(self) -> str:
        return f"{self.code}:{self.detail}" if self.detail else self.code


@dataclass(frozen=True, slots=True)
class Extracted:
    """`comments` are the words of comments, which are left out of the text."""

    kind: Kind
    text: str
    markdown: bool = True  # headings, tables and lists in the text are marked as in Markdown
    signs: tuple[Sign, ...] = ()
    comments: tuple[str, ...] = ()

    def with_signs(self, signs: tuple[Sign, ...]) -> Extracted:
        return replace(self, signs=signs + self.signs)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def from_json(found: dict[str, Any]) -> Extracted:
    """Raises KeyError or TypeError for what is no such thing."""
    signs = tuple(sign_from_json(sign) for sign in found["signs"])
    comments = tuple(found["comments"])
    return Extracted(found["kind"], found["text"], found["markdown"], signs, comments)


def sign_from_json(sign: dict[str, Any]) -> Sign:
    places = tuple(Place(**place) for place in sign["places"])
    return Sign(sign["code"], sign["detail"], places)


def counted(code: str, places: Iterable[Place]) -> tuple[Sign, ...]:
    """One sign with how often and the first places, or none."""
    found = list(places)
    if not found:
        return ()
    places = tuple(place(p.where, p.at, p.text) for p in found[:MAX_PLACES])
    return (Sign(code, str(len(found)), places),)


def place(where: Where, at: str, text: str) -> Place:
    """On one line, and not longer than a person reads."""
    return Place(where, at[:MAX_CONTEXT], " ".join(text.split())[:MAX_CONTEXT])
