"""The parts of a chunk that can be read alone: sentences, list items, commands with their lead-in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 600
_SHORTEST = 20

_FENCE = re.compile(r"\s*(?:[-*+]|\d+[.)])?\s*(```|~~~)")
_SKIPPED = re.compile(r"\s*(?:#{1,6}\s|<|!\[|\[[^\]]+\]:\s|[-=*_|:\s]{3,}$)")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_QUOTED = re.compile(r"\s*>\s?")
_ROW = re.compile(r"\s*\|")
_SENTENCE_GAP = re.compile(r"(?<=[.!?])[\"')\]*_`]*\s+(?=[\"'(\[*_`]*[A-ZÀ-Ý0-9])")
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|etc|vs|cf|approx|no|ex|p\.ex|obs|fig)\.$", re.IGNORECASE
)
_LINK = re.compile(r"!?\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])|https?://\S+")
_INTRODUCES = re.compile(
    r"\b(?:below|following|as follows|this command|abaixo|seguintes?|a seguir|comando)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`quote` is exactly `text_of_chunk[start:start + len(quote)]`; `text` is for reading."""

    start: int
    quote: str
    text: str


@dataclass(frozen=True, slots=True)
class _Block:
    kind: str
    start: int
    end: int


def excerpts(text: str) -> list[Excerpt]:
    """In the order of the text; headings, pictures, rules and raw HTML give none."""
    blocks = list(_blocks(text))
    found: list[Excerpt] = []
    for index, block in enumerate(blocks):
        following = blocks[index + 1] if index + 1 < len(blocks) else None
        if block.kind == "skipped":
            continue
        if block.kind == "fence":
            found += _commands(text, block) if not _has_lead_in(text, blocks, index) else []
            continue
        for start, end in _sentences(text, block):
            if following and end == block.end and _introduces(text[start:end], following):
                end = following.end if following.end - start <= LONGEST else end
            if text[start:end].rstrip("*_ ").endswith(":"):
                continue
            found += _excerpt(text, start, end)
    return found


def _blocks(text: str) -> Iterator[_Block]:
    """Runs of lines that belong together; their spans are offsets into the text."""
    kind, start, end, fence = "", 0, 0, ""
    for begin, stop, line in _lines(text):
        mark = _FENCE.match(line)
        if fence:
            end = stop
            if mark and mark[1] == fence:
                yield _Block("fence", start, end)
                kind, fence = "", ""
            continue
        found = "fence" if mark else _kind(line, kind)
        if kind and (found != kind or found in ("row", "skipped") or _ITEM.match(line)):
            yield _Block(kind, start, end)
            kind = ""
        if found and not kind:
            kind, start = found, begin
        end, fence = stop, mark[1] if mark else ""
    if kind:
        yield _Block(kind, start, end)


def _kind(line: str, before: str) -> str:
    if not line.strip():
        return ""
    if _SKIPPED.match(line):
        return "skipped"
    if _ROW.match(line):
        return "row"
    if _ITEM.match(line):
        return "item"
    return before if before in ("item", "prose") else "prose"


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    position = 0
    for line in text.splitlines(keepends=True):
        yield position, position + len(line.rstrip()), line
        position += len(line)


def _introduces(sentence: str, following: _Block) -> bool:
    """A sentence that is only half of something: the command or list it announces comes next."""
    stripped = sentence.rstrip("*_ ")
    if stripped.endswith(":"):
        return following.kind in ("fence", "item", "row")
    announces = bool(_INTRODUCES.search(stripped)) or stripped[-1:] not in ".!?"
    return following.kind == "fence" and announces


def _has_lead_in(text: str, blocks: list[_Block], index: int) -> bool:
    before = blocks[index - 1] if index else None
    if before is None or before.kind not in ("prose", "item"):
        return False
    *_, (start, end) = _sentences(text, before)
    fits = blocks[index].end - start <= LONGEST
    return fits and _introduces(text[start:end], blocks[index])


def _sentences(text: str, block: _Block) -> Iterator[tuple[int, int]]:
    mark = _ITEM.match(text, block.start, block.end) or _QUOTED.match(text, block.start, block.end)
    start = mark.end() if mark else block.start
    if block.kind in ("item", "row"):
        yield start, block.end
        return
    for gap in _SENTENCE_GAP.finditer(text, start, block.end):
        if not _ABBREVIATION.search(text[start : gap.start()]):
            yield start, gap.start() + len(gap.group().rstrip())
            start = gap.end()
    yield start, block.end


def _commands(text: str, fence: _Block) -> list[Excerpt]:
    """A short fence whole; of a long one each command, with the comment above it."""
    if fence.end - fence.start <= LONGEST:
        return _excerpt(text, fence.start, fence.end)
    found: list[Excerpt] = []
    comment = -1
    for begin, stop, line in _lines(text[fence.start : fence.end]):
        if line.lstrip().startswith("#"):
            comment = begin if comment < 0 else comment
        elif line.strip() and not _FENCE.match(line):
            first = comment if comment >= 0 else begin
            found += _excerpt(text, fence.start + first, fence.start + stop)
            comment = -1
    return found


def _excerpt(text: str, start: int, end: int) -> list[Excerpt]:
    quote = text[start:end].strip()
    start += len(text[start:end]) - len(text[start:end].lstrip())
    if not _SHORTEST <= len(quote) <= LONGEST or len(_WORD.findall(_LINK.sub("", quote))) < 2:
        return []
    return [Excerpt(start, quote, _readable(quote))]


def _readable(quote: str) -> str:
    """Without fence marks; a hard-wrapped sentence on one line."""
    if "```" in quote or "~~~" in quote:
        return "\n".join(
            line for line in quote.splitlines() if line.strip() and not _FENCE.match(line)
        )
    lines = quote.splitlines()
    if any(_ITEM.match(line) for line in lines):
        return quote
    return " ".join(" ".join(lines).split())
