"""Cuts a document into the pieces that are searched, shown and cited.

A piece's text is exactly `source[start:end]`, so that a citation can point into the stored version
for ever. Headings are not part of a piece: they are its `heading_path`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

CHUNKER = "heading-1"
LIMIT = 1_400
SHORT = 300

_FRONT_MATTER = re.compile(
    r"\A(?P<mark>---|\+\+\+)[ \t]*\n(?P<body>.*?\n)?(?P=mark)[ \t]*(?:\n|\Z)", re.S
)
# Bounded, so that no line can make them slow: each is tried at many places of a hostile text.
_FRONT_TITLE = re.compile(r"^title[ \t]{0,20}[:=][ \t]{0,20}(?P<title>\S[^\r\n]{0,300})", re.M)
_LINE_END = re.compile(r"\r\n|\r|\n")
_SENTENCE_GAP = re.compile(r"(?<=[.!?])\s+")
_SPACE = re.compile(r"\s+")
_PARAGRAPH_GAP = re.compile(r"\n[ \t]*\n")
_BLANK_LINES_FIRST = re.compile(r"(?:[^\S\r\n]{0,200}(?:\r\n|\r|\n))+")
_HEADING_CHARACTERS = 200

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Piece:
    ordinal: int
    heading_path: tuple[str, ...]
    start: int
    end: int
    text: str
    searched: str


@dataclass(frozen=True, slots=True)
class _Section:
    path: tuple[str, ...]
    heading: int
    units: tuple[Span, ...]

    @property
    def body(self) -> int:
        return self.units[0][0]

    @property
    def end(self) -> int:
        return self.units[-1][1]


def split(text: str, *, title: str, kind: Literal["markdown", "plain"] = "markdown") -> list[Piece]:
    """Pieces in document order, each at most `LIMIT` characters; only headings are left out."""
    sections = _markdown_sections(text) if kind == "markdown" else _plain_sections(text)
    pieces: list[Piece] = []
    for section in _folded(text, sections):
        for start, end in _pack(text, section.units):
            body = text[start:end]
            searched = "\n".join([title, *section.path, body])
            pieces.append(Piece(len(pieces), section.path, start, end, body, searched))
    return pieces


def _folded(text: str, sections: Iterable[_Section]) -> Iterator[_Section]:
    """Short sections share a piece with the next ones; one with headings alone makes none."""
    group: list[_Section] = []
    for section in sections:
        if section.heading == section.body and not text[section.body : section.end].strip():
            continue  # the nothing before the first heading
        if group and not _share(group, section):
            yield from _joined(text, group)
            group = []
        group.append(section)
    yield from _joined(text, group)


def _share(group: list[_Section], section: _Section) -> bool:
    size = group[-1].end - group[0].body
    short = min(size, section.end - section.body) < SHORT
    return short and section.end - group[0].heading <= LIMIT


def _joined(text: str, group: list[_Section]) -> Iterator[_Section]:
    if not any(text[section.body : section.end].strip() for section in group):
        return
    if len(group) == 1:
        yield group[0]
        return
    path = _common([section.path for section in group])
    start = group[0].body if path == group[0].path else group[0].heading
    yield _Section(path, start, ((start, group[-1].end),))


def _common(paths: list[tuple[str, ...]]) -> tuple[str, ...]:
    steps = zip(*paths, strict=False)
    return tuple(names[0] for names in takewhile(lambda names: len(set(names)) == 1, steps))


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


def _plain_sections(text: str) -> Iterator[_Section]:
    cuts = [0, *(match.end() for match in _PARAGRAPH_GAP.finditer(text)), len(text)]
    yield _Section((), 0, tuple(pairwise(cuts)))


def _markdown_sections(text: str) -> Iterator[_Section]:
    front = _FRONT_MATTER.match(text)
    offset = front.end() if front else 0
    lines = [offset, *(offset + m.end() for m in _LINE_END.finditer(text[offset:])), len(text)]
    tokens = MarkdownIt("commonmark").enable("table").parse(text[offset:])
    path: list[tuple[int, str]] = []
    heading = body = offset
    starts: list[int] = []
    for index, token in enumerate(tokens):
        if token.level != 0 or token.map is None:
            continue
        if token.type != "heading_open":
            starts += _unit_starts(tokens, index, lines)
            continue
        yield _section(path, heading, body, starts, lines[token.map[0]])
        level = int(token.tag[1])
        path = [step for step in path if step[0] < level] + [(level, _heading(tokens[index + 1]))]
        heading, body, starts = lines[token.map[0]], lines[token.map[1]], []
    yield _section(path, heading, body, starts, len(text))


def _section(
    path: list[tuple[int, str]], heading: int, body: int, starts: list[int], end: int
) -> _Section:
    """Units run from one block's start to the next one's, so nothing between them is lost."""
    cuts = [body, *(cut for cut in starts if body < cut < end), end]
    return _Section(tuple(name for _, name in path if name), heading, tuple(pairwise(cuts)))


def _unit_starts(tokens: list[Token], index: int, lines: list[int]) -> list[int]:
    """Where the units of a block start: the block, or each item of an over-long list."""
    block = tokens[index]
    first, last = block.map or [0, 0]
    if not block.type.endswith("_list_open") or lines[last] - lines[first] <= LIMIT:
        return [lines[first]]
    inside = takewhile(
        lambda token: token.level > 0, (tokens[i] for i in range(index + 1, len(tokens)))
    )
    return [
        lines[token.map[0]]
        for token in inside
        if token.type == "list_item_open" and token.level == 1 and token.map
    ]


def _heading(inline: Token) -> str:
    words = "".join(_visible(child) for child in inline.children or [])
    return " ".join(words.split())[:_HEADING_CHARACTERS]


def _visible(token: Token) -> str:
    if token.type in ("text", "code_inline"):
        return token.content
    return " " if token.type in ("softbreak", "hardbreak") else ""


def _pack(text: str, units: tuple[Span, ...]) -> Iterator[Span]:
    """Whole units together while they fit; an over-long one in parts of its own."""
    start = end = -1
    for first, last in units:
        first, last = _trim(text, first, last)
        if first == last:
            continue
        if start >= 0 and last - start <= LIMIT:
            end = last
            continue
        if start >= 0:
            yield start, end
        *parts, (start, end) = _parts(text, first, last)
        yield from parts
    if start >= 0:
        yield start, end


def _trim(text: str, start: int, end: int) -> Span:
    """Without blank lines before it and white space after it.

    The first line keeps its indentation: a code line or a nested item reads wrong without it.
    """
    end = start + len(text[start:end].rstrip())
    blank = _BLANK_LINES_FIRST.match(text, start, end)
    return (blank.end() if blank else start), end


def _parts(text: str, start: int, end: int) -> list[Span]:
    parts: list[Span] = []
    while end - start > LIMIT:
        cut = start + _cut(text[start : start + LIMIT])
        parts.append((start, start + len(text[start:cut].rstrip())))
        blank = _BLANK_LINES_FIRST.match(text, cut, end)
        start = blank.end() if blank else cut
    return [(first, last) for first, last in [*parts, (start, end)] if first < last]


def _cut(window: str) -> int:
    """Where an over-long unit is cut: after a line, else a sentence, else a word, else anywhere."""
    for pattern in (_LINE_END, _SENTENCE_GAP, _SPACE):
        ends = [match.end() for match in pattern.finditer(window)]
        if ends and ends[-1] >= LIMIT // 4:
            return ends[-1]
    return LIMIT
