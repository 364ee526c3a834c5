"""Markdown as runs of lines that belong together, with their places in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

FENCE = re.compile(r"\s*(?:[-*+]|\d+[.)])?\s*(```|~~~)")
_SKIPPED = re.compile(r"\s*(?:#{1,6}\s|<|!\[|\[[^\]]+\]:\s|[-=*_|:\s]{3,}$)")
ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
HEADING = re.compile(r"\s*#{1,6}\s+(.*?)[\s#]*$")
ROW = re.compile(r"\s*\|")
SEPARATOR = re.compile(r"\s*\|[-|:\s]+$")


@dataclass(frozen=True, slots=True)
class Block:
    kind: str
    start: int
    end: int


def blocks_of(text: str) -> Iterator[Block]:
    """Runs of lines that belong together; their spans are offsets into the text."""
    kind, start, end, fence = "", 0, 0, ""
    for begin, stop, line in lines(text):
        mark = FENCE.match(line)
        if fence:
            end = stop
            if mark and mark[1] == fence:
                yield Block("fence", start, end)
                kind, fence = "", ""
            continue
        found = "fence" if mark else _kind(line, kind)
        if kind and (found != kind or found in ("row", "skipped") or ITEM.match(line)):
            yield Block(kind, start, end)
            kind = ""
        if found and not kind:
            kind, start = found, begin
        end, fence = stop, mark[1] if mark else ""
    if kind:
        yield Block(kind, start, end)


def _kind(line: str, before: str) -> str:
    if not line.strip():
        return ""
    if _SKIPPED.match(line):
        return "skipped"
    if ROW.match(line):
        return "row"
    if ITEM.match(line):
        return "item"
    return before if before in ("item", "prose") else "prose"


def lines(text: str) -> Iterator[tuple[int, int, str]]:
    position = 0
    for line in text.splitlines(keepends=True):
        yield position, position + len(line.rstrip()), line
        position += len(line)


def list_end(text: str, blocks: list[Block], index: int) -> int:
    """The end of the list directly under a block, with all that is indented in it; 0: no list."""
    block = blocks[index]
    lead = text[block.start : block.end].rstrip("*_ ")
    if block.kind == "item" and not lead.endswith(":"):
        return 0
    depth = indent(text, block) - (block.kind != "item")
    end = 0
    for below in blocks[index + 1 :]:
        inside = end > 0 and indent(text, below) > 0
        if indent(text, below) <= depth or not (below.kind == "item" or inside):
            break
        end = below.end
    return end


def indent(text: str, block: Block) -> int:
    line = text[block.start : block.end]
    return len(line) - len(line.lstrip())


def table_top(text: str, blocks: list[Block], index: int) -> int:
    """The index of the first line of the table that a row is in."""
    while index and _continues_table(text, blocks, index):
        index -= 1
    return index


def _continues_table(text: str, blocks: list[Block], index: int) -> bool:
    """The block above belongs to the same table: a row or its separator, with no line between."""
    above, block = blocks[index - 1], blocks[index]
    touching = text[above.end : block.start].count("\n") == 1
    return touching and (above.kind == "row" or is_separator(text, above))


def is_separator(text: str, block: Block) -> bool:
    return bool(SEPARATOR.match(text[block.start : block.end]))
