"""Markdown by its headings: which blocks a section has, and what stays whole inside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

Kind = Literal["prose", "block"]

_FRONT_MATTER = re.compile(
    r"\A(?P<mark>---|\+\+\+)[ \t]*\n(?P<body>.*?\n)?(?P=mark)[ \t]*(?:\n|\Z)", re.S
)
# Bounded, so that no line can make them slow: each is tried at many places of a hostile text.
_FRONT_TITLE = re.compile(r"^title[ \t]{0,20}[:=][ \t]{0,20}(?P<title>\S[^\r\n]{0,300})", re.M)
LINE_END = re.compile(r"\r\n|\r|\n")
_PARAGRAPH_GAP = re.compile(r"\n[ \t]*\n")
_CLOSING = re.compile(r"[\s>]{0,200}(`{3,}|~{3,})\Z")
_HEADING_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Unit:
    """A block of a section, up to the start of the next one; `kind` says whether it is a paragraph."""

    start: int
    end: int
    kind: Kind = "block"


@dataclass(frozen=True, slots=True)
class Wrap:
    """A fence or a table, wherever it stands: a part of it needs its `lead`, and a fence its `tail`.

    `body` is where its contents begin. A fence that nobody closed ends with `end`.
    """

    start: int
    body: int
    end: int
    lead: str
    tail: str = ""
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    path: tuple[str, ...]
    heading: int
    units: tuple[Unit, ...]

    @property
    def body(self) -> int:
        return self.units[0].start

    @property
    def end(self) -> int:
        return self.units[-1].end


@dataclass(frozen=True, slots=True)
class Document:
    """What a text is made of; the wraps are in the order of the text and never overlap."""

    sections: tuple[Section, ...]
    wraps: tuple[Wrap, ...] = ()


def document_title(text: str, filename: str) -> str:
    """Front matter's title, else the first top heading, else the file's name without its end."""
    front = _FRONT_MATTER.match(text)
    if front and (found := _FRONT_TITLE.search(front["body"] or "")):
        title = found["title"].strip("\"'").strip()
        if title:
            return title[:_HEADING_CHARACTERS]
    tokens = MarkdownIt("commonmark").parse(text[front.end() :] if front else text)
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.tag == "h1" and _heading(inline):
            return _heading(inline)
    return filename.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0] or filename


def plain(text: str) -> Document:
    cuts = [0, *(match.end() for match in _PARAGRAPH_GAP.finditer(text)), len(text)]
    units = tuple(Unit(first, last, "prose") for first, last in pairwise(cuts))
    return Document((Section((), 0, units),))


def markdown(text: str, *, longest: int) -> Document:
    """A list over `longest` characters is one unit an item, any other block is one."""
    front = _FRONT_MATTER.match(text)
    offset = front.end() if front else 0
    lines = [offset, *(offset + m.end() for m in LINE_END.finditer(text[offset:])), len(text)]
    tokens = MarkdownIt("commonmark").enable("table").parse(text[offset:])
    return Document(
        tuple(_sections(text, tokens, lines, longest)), tuple(_wraps(text, tokens, lines))
    )


def _sections(text: str, tokens: list[Token], lines: list[int], longest: int) -> Iterator[Section]:
    path: list[tuple[int, str]] = []
    heading = body = lines[0]
    starts: list[tuple[int, Kind]] = []
    for index, token in enumerate(tokens):
        if token.level != 0 or token.map is None:
            continue
        if token.type != "heading_open":
            starts += _unit_starts(tokens, index, lines, longest)
            continue
        yield _section(path, heading, body, starts, lines[token.map[0]])
        level = int(token.tag[1])
        path = [step for step in path if step[0] < level] + [(level, _heading(tokens[index + 1]))]
        heading, body, starts = lines[token.map[0]], lines[token.map[1]], []
    yield _section(path, heading, body, starts, len(text))


def _section(
    path: list[tuple[int, str]], heading: int, body: int, starts: list[tuple[int, Kind]], end: int
) -> Section:
    """Units run from one block's start to the next one's, so nothing between them is lost."""
    inside = [(start, kind) for start, kind in starts if body <= start < end]
    if not inside or inside[0][0] > body:
        inside.insert(0, (body, "block"))
    ends = [start for start, _ in inside[1:]] + [end]
    units = (Unit(start, last, kind) for (start, kind), last in zip(inside, ends, strict=True))
    return Section(tuple(name for _, name in path if name), heading, tuple(units))


def _unit_starts(
    tokens: list[Token], index: int, lines: list[int], longest: int
) -> list[tuple[int, Kind]]:
    """Where the units of a block start: the block, or each item of an over-long list."""
    block = tokens[index]
    first, last = block.map or [0, 0]
    if not block.type.endswith("_list_open") or lines[last] - lines[first] <= longest:
        return [(lines[first], "prose" if block.type == "paragraph_open" else "block")]
    inside = takewhile(
        lambda token: token.level > 0, (tokens[i] for i in range(index + 1, len(tokens)))
    )
    return [
        (lines[token.map[0]], "block")
        for token in inside
        if token.type == "list_item_open" and token.level == 1 and token.map
    ]


def _wraps(text: str, tokens: list[Token], lines: list[int]) -> Iterator[Wrap]:
    for token in tokens:
        if token.map is None or token.type not in ("fence", "table_open"):
            continue
        first, last = token.map
        if token.type == "fence":
            yield _fence(text, token, lines[first : last + 1])
        elif last - first > 2:
            start, body = lines[first], lines[first + 2]
            yield Wrap(start, body, lines[last], text[start:body])


def _fence(text: str, token: Token, lines: list[int]) -> Wrap:
    """`lines` are where its lines start, with the end of the last one."""
    start, body, end = lines[0], lines[1], lines[-1]
    closing = text[lines[-2] : end].rstrip() if len(lines) > 2 else ""
    found = _CLOSING.match(closing)
    if found and found[1].startswith(token.markup):
        return Wrap(start, body, end, text[start:body], closing)
    lead = text[start:body]
    margin = lead[: len(lead) - len(lead.lstrip(" \t>"))]
    return Wrap(start, body, end, lead, margin + token.markup, is_open=True)


def _heading(inline: Token) -> str:
    words = "".join(_visible(child) for child in inline.children or [])
    return " ".join(words.split())[:_HEADING_CHARACTERS]


def _visible(token: Token) -> str:
    if token.type in ("text", "code_inline"):
        return token.content
    return " " if token.type in ("softbreak", "hardbreak") else ""
