"""Cuts a document into the pieces that are searched, shown and cited.

A piece's text is exactly `source[start:end]`, so that a citation can point into the stored version
for ever. Headings are not part of a piece: they are its `heading_path`. Where a fence or a table had
to be cut, `lead` and `tail` repeat its opening and its end: shown and searched, never quoted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from grounding.reading import sections
from grounding.reading.cutting import Cutter
from grounding.reading.sections import Section, Unit, document_title

__all__ = ["CHUNKER", "LIMIT", "STANDARD", "Piece", "Policy", "document_title", "split"]

CHUNKER = "heading-2"
LIMIT = 1_400
SHORT = 300


@dataclass(frozen=True, slots=True)
class Policy:
    """How a collection is cut: at most `limit` characters, and whether prose overlaps a sentence."""

    limit: int = LIMIT
    overlap: bool = True

    @property
    def chunker(self) -> str:
        """What a version says it was cut by: the rules here, and what they were given."""
        return f"{CHUNKER}/{self.limit}/{'overlap' if self.overlap else 'apart'}"


STANDARD = Policy()


@dataclass(frozen=True, slots=True)
class Piece:
    ordinal: int
    heading_path: tuple[str, ...]
    start: int
    end: int
    text: str
    searched: str
    lead: str = ""
    tail: str = ""

    @property
    def shown(self) -> str:
        return f"{self.lead}{self.text}{self.tail}"


def split(
    text: str,
    *,
    title: str,
    kind: Literal["markdown", "plain"] = "markdown",
    policy: Policy = STANDARD,
) -> list[Piece]:
    """Pieces in document order, each at most the limit; only headings are left out."""
    found = (
        sections.markdown(text, longest=policy.limit)
        if kind == "markdown"
        else sections.plain(text)
    )
    cutter = Cutter(text, policy.limit, policy.overlap, found.wraps)
    pieces: list[Piece] = []
    for section in _folded(text, found.sections, policy.limit):
        for part in cutter.pack(section.units):
            body = text[part.start : part.end]
            searched = "\n".join([title, *section.path, f"{part.lead}{body}{part.tail}"])
            pieces.append(
                Piece(
                    len(pieces), section.path, part.start, part.end, body, searched,
                    part.lead, part.tail,
                )
            )  # fmt: skip
    return pieces


def _folded(text: str, found: Iterable[Section], limit: int) -> Iterator[Section]:
    """Short sections share a piece with the next ones; one with headings alone makes none."""
    group: list[Section] = []
    for section in found:
        if section.heading == section.body and not text[section.body : section.end].strip():
            continue  # the nothing before the first heading
        if group and not _share(group, section, limit):
            yield from _joined(text, group)
            group = []
        group.append(section)
    yield from _joined(text, group)


def _share(group: list[Section], section: Section, limit: int) -> bool:
    size = group[-1].end - group[0].body
    short = min(size, section.end - section.body) < SHORT
    return short and section.end - group[0].heading <= limit


def _joined(text: str, group: list[Section]) -> Iterator[Section]:
    if not any(text[section.body : section.end].strip() for section in group):
        return
    if len(group) == 1:
        yield group[0]
        return
    path = _common([section.path for section in group])
    start = group[0].body if path == group[0].path else group[0].heading
    yield Section(path, start, (Unit(start, group[-1].end),))


def _common(paths: list[tuple[str, ...]]) -> tuple[str, ...]:
    steps = zip(*paths, strict=False)
    return tuple(names[0] for names in takewhile(lambda names: len(set(names)) == 1, steps))
