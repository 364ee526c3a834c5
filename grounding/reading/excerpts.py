"""The parts of a chunk that can be read alone: sentences, list items, commands with their lead-in.

Nothing is cut from what it depends on: a list, the sentence before "then …", the reason of a ban.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from grounding.reading.blocks import (
    FENCE,
    HEADING,
    ITEM,
    ROW,
    SEPARATOR,
    Block,
    blocks_of,
    indent,
    is_separator,
    lines,
    list_end,
    table_top,
)

LONGEST = 600
LONGEST_LIST = 900
_SHORTEST = 20

_QUOTED = re.compile(r"\s*>\s?")
_DANGLING = re.compile(
    r"""[\W_]*(?:
        then | in\s(?:that|this|which)\scase | after\s(?:that|this) | otherwise | instead | (?-i:it|It|they|They)
      | (?!(?:if|when|once|first)\b)(?:[^\W\d_]+\s+){1,3}then
      | n?esse\scaso | neste\scaso | caso\scontrário | depois\sdisso | em\sseguida | até\slá
      | então | senão | além\sdisso | por\sisso | com\sisso | mesmo\sassim | el[ea]s? | isso | isto
    )(?![\w-])""",
    re.IGNORECASE | re.VERBOSE,
)
_CASE = re.compile(r"(?:se|caso|if)\s", re.IGNORECASE)
_WARNING = re.compile(
    r"""[\W_]*(?:
        nunca | jamais | never | do\snot | don['’]t | must\snot
      | não\s(?!há\b|é\b|são\b|está\b|foi\b|existe|tem\b|basta) | nao\s
      | (?:atenção|cuidado|perigo|warning|caution|danger)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
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


Kind = Literal["prose", "item", "list", "row", "command"]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`quote` is exactly `text_of_chunk[start:start + len(quote)]`; `text` is for matching.

    `heading` is the nearest one above it in the chunk; `header` its table's, for matching only.
    """

    start: int
    quote: str
    text: str
    kind: Kind = "prose"
    heading: str = ""
    header: str = ""

    @property
    def end(self) -> int:
        return self.start + len(self.quote)

    @property
    def warns(self) -> bool:
        return bool(_WARNING.match(self.quote))

    @property
    def advises(self) -> bool:
        """Says what to do, or what it means, in a case it names."""
        return self.kind == "prose" and bool(_CASE.match(self.quote))


def excerpts(text: str) -> list[Excerpt]:
    """In the order of the text; headings, pictures, rules and raw HTML give none."""
    blocks = list(blocks_of(text))
    found: list[Excerpt] = []
    heading = ""
    before = -1  # where the sentence that a dangling one would need begins
    taken = 0
    for index, block in enumerate(blocks):
        if block.start < taken:
            continue
        if block.kind in ("skipped", "row"):
            mark = HEADING.match(text[block.start : block.end])
            heading, before = mark[1] if mark else heading, -1
            found += _row(text, blocks, index, heading) if block.kind == "row" else []
        elif block.kind == "fence":
            if not _has_lead_in(text, blocks, index):
                found += _commands(text, block, heading)
        else:
            read, before, taken = _read(text, blocks, index, before, heading)
            found += read
    return found


def _read(
    text: str, blocks: list[Block], index: int, before: int, heading: str
) -> tuple[list[Excerpt], int, int]:
    """The excerpts of prose or an item, where its last one begins, and where reading goes on."""
    block = blocks[index]
    found: list[Excerpt] = []
    kind: Kind = "prose"
    if block.kind == "item":
        kind = "item"
    stop = block.end
    for start, end in _sentences(text, block):
        if end == block.end:
            end, brings_list = _completed(text, blocks, index, start)
            stop, kind = end, "list" if brings_list else kind
        if text[start:end].rstrip("*_ ").endswith(":"):
            continue
        if _DANGLING.match(text[start:end]):
            start = before if before >= 0 and end - before <= LONGEST else -1
        before = start
        found += _excerpt(text, start, end, kind, heading) if start >= 0 else []
    return found, before, stop


def _completed(text: str, blocks: list[Block], index: int, start: int) -> tuple[int, bool]:
    """Where the block ends with the command or the list that it leads in; whether with a list."""
    block = blocks[index]
    listed = list_end(text, blocks, index)
    if listed and listed - start <= LONGEST_LIST:
        return listed, True
    following = blocks[index + 1] if index + 1 < len(blocks) else None
    if following and _introduces(text[start : block.end], following):
        return (following.end if following.end - start <= LONGEST else block.end), False
    return block.end, False


def _row(text: str, blocks: list[Block], index: int, heading: str) -> list[Excerpt]:
    """A row; the first one with the header it touches. The header alone says nothing."""
    first = table_top(text, blocks, index)
    has_header = len(blocks) > first + 1 and is_separator(text, blocks[first + 1])
    if has_header and index == first:
        return []
    block, top = blocks[index], blocks[first]
    header = text[top.start : top.end].strip() if has_header else ""
    start = top.start if has_header and index == first + 2 else block.start
    return _excerpt(text, start, block.end, "row", heading, header)


def _introduces(sentence: str, following: Block) -> bool:
    """A sentence that is only half of something: the command or list it announces comes next."""
    stripped = sentence.rstrip("*_ ")
    if stripped.endswith(":"):
        return following.kind == "fence"
    announces = bool(_INTRODUCES.search(stripped)) or stripped[-1:] not in ".!?"
    return following.kind == "fence" and announces


def _has_lead_in(text: str, blocks: list[Block], index: int) -> bool:
    before = blocks[index - 1] if index else None
    if before is None or before.kind not in ("prose", "item"):
        return False
    *_, (start, end) = _sentences(text, before)
    fits = blocks[index].end - start <= LONGEST
    return fits and _introduces(text[start:end], blocks[index])


def _sentences(text: str, block: Block) -> Iterator[tuple[int, int]]:
    mark = ITEM.match(text, block.start, block.end) or _QUOTED.match(text, block.start, block.end)
    start = mark.end() if mark else block.start
    opens = text.startswith("**", start) or bool(_CASE.match(text, start))
    if block.kind == "item" or (opens and block.end - start <= LONGEST):
        yield start, block.end
        return
    for gap in _SENTENCE_GAP.finditer(text, start, block.end):
        if not _ABBREVIATION.search(text[start : gap.start()]):
            yield start, gap.start() + len(gap.group().rstrip())
            start = gap.end()
    yield start, block.end


def _commands(text: str, fence: Block, heading: str) -> list[Excerpt]:
    """A short fence whole; of a long one each command, with the comment above it."""
    if fence.end - fence.start <= LONGEST:
        return _excerpt(text, fence.start, fence.end, "command", heading)
    found: list[Excerpt] = []
    comment = -1
    for begin, stop, line in lines(text[fence.start : fence.end]):
        if line.lstrip().startswith("#"):
            comment = begin if comment < 0 else comment
        elif line.strip() and not FENCE.match(line):
            first = comment if comment >= 0 else begin
            found += _excerpt(text, fence.start + first, fence.start + stop, "command", heading)
            comment = -1
    return found


def _excerpt(
    text: str, start: int, end: int, kind: Kind, heading: str, header: str = ""
) -> list[Excerpt]:
    quote = text[start:end].strip()
    start += len(text[start:end]) - len(text[start:end].lstrip())
    longest = LONGEST_LIST if kind == "list" else LONGEST
    if not _SHORTEST <= len(quote) <= longest or len(_WORD.findall(_LINK.sub("", quote))) < 2:
        return []
    return [Excerpt(start, quote, _plain(quote), kind, heading, header)]


def _plain(quote: str) -> str:
    """For matching: without fence marks and the line under a table's header."""
    if "```" in quote or "~~~" in quote:
        return "\n".join(
            line for line in quote.splitlines() if line.strip() and not FENCE.match(line)
        )
    parts = quote.splitlines()
    if all(ROW.match(line) for line in parts):
        return "\n".join(line for line in parts if not SEPARATOR.match(line))
    if any(ITEM.match(line) for line in parts):
        return quote
    return " ".join(" ".join(parts).split())


def reading(quote: str) -> str:
    """As it is read: a wrapped sentence on one line, nested items still nested, a command between
    backticks instead of fence marks, and a table without the line under its header."""
    blocks = [_block_reading(quote, block) for block in blocks_of(quote)]
    return "\n".join(words for words in blocks if words)


def _block_reading(quote: str, block: Block) -> str:
    words = quote[block.start : block.end]
    if block.kind == "fence":
        code = [line for line in words.splitlines() if line.strip() and not FENCE.match(line)]
        return "\n".join(map(_as_code, textwrap.dedent("\n".join(code)).splitlines()))
    if block.kind in ("item", "prose"):
        return " " * indent(quote, block) + " ".join(words.split())
    return "" if SEPARATOR.match(words) else words


def _as_code(line: str) -> str:
    return line if "`" in line else f"`{line}`"
