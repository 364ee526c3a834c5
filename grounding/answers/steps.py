"""Ordered lists, always from their first step on: whoever acts must not begin in the middle."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from grounding.answers.citations import Sentence, is_long_enough
from grounding.answers.drafting import Passage
from grounding.reading.blocks import HEADING, Block, blocks_of, indent
from grounding.reading.excerpts import reading

LONGEST_STEPS = 2_400  # of one list: about a screen; what does not fit is named by its numbers

_NUMBERED = re.compile(r"\s*(\d{1,9})[.)]\s")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Section:
    """The passages of one section in order. `opens` says that the first of them is its first."""

    passages: Sequence[Passage]
    opens: bool = True


@dataclass(frozen=True, slots=True)
class OrderedList:
    """Each step runs from its number to the next one's; the places are the document's."""

    first: int
    steps: tuple[Span, ...]
    passages: Sequence[Passage]
    whole: bool

    @property
    def span(self) -> Span:
        return self.steps[0][0], self.steps[-1][1]


@dataclass(slots=True)
class _Growing:
    depth: int
    end: int
    numbers: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    outside: list[Block] = field(default_factory=list)  # what may yet belong to the last step

    def takes(self, text: str, block: Block, number: int | None) -> bool:
        """Whether the block is the next step or may belong to the last one."""
        depth = indent(text, block)
        is_heading = block.kind == "skipped" and HEADING.match(text[block.start : block.end])
        if is_heading and depth <= self.depth:
            return False
        if number is None or (depth > self.depth + 1 and not self.outside):
            self._add(text, block, depth)
            return True
        if self._goes_on_with(number, depth):
            self.add_step(number, block)
            return True
        return False

    def add_step(self, number: int, block: Block) -> None:
        self.numbers.append(number)
        self.starts.append(block.start)
        self.outside.clear()
        self.end = block.end

    def _add(self, text: str, block: Block, depth: int) -> None:
        announced = block.kind == "fence" and text[: self.end].endswith(":")
        if (depth > self.depth or announced) and not self.outside:
            self.end = block.end
        else:
            self.outside.append(block)

    def _goes_on_with(self, number: int, depth: int) -> bool:
        last = self.numbers[-1]
        if number == last + 1:
            return True
        if self.outside:  # "1." after "1." is how some number every step
            return number == last == 1 and all(block.kind == "fence" for block in self.outside)
        return depth >= self.depth

    def spans(self, base: int) -> tuple[Span, ...]:
        edges = [base + start for start in self.starts]
        return tuple(zip(edges, [*edges[1:], base + self.end], strict=True))


def ordered_lists(section: Section) -> list[OrderedList]:
    """The lists of two steps and more, outermost only: a step holds all that stands under it."""
    passages = section.passages
    text, base = _text_of(passages), passages[0].start
    return [
        OrderedList(
            grown.numbers[0], grown.spans(base), passages, section.opens or grown.numbers[0] == 1
        )
        for grown in _grown(text)
        if len(grown.starts) > 1
    ]


def from_the_first(sentences: Sequence[Sentence], sections: Sequence[Section]) -> list[Sentence]:
    """A sentence from an ordered list gives way to the list, as far as LONGEST_STEPS allows.

    A sentence that already holds the whole list stays. A list whose first step cannot be reached is
    left out.
    """
    lists = [found for section in sections for found in ordered_lists(section)]
    starts = {
        passage.chunk_id: passage.start for section in sections for passage in section.passages
    }
    whole = [
        found
        for found in lists
        if any(_covers(_span(item, starts), found.span) for item in sentences)
    ]
    given: list[Sentence] = []
    done: set[Span] = {found.span for found in whole}
    for item in sentences:
        span = _span(item, starts)
        touched = [found for found in lists if _meets(item, span, found)]
        if all(_covers(span, found.span) for found in touched):
            given.append(item)
            continue
        for found in touched:
            given += _given(found, item, span) if found.span not in done else []
            done.add(found.span)
    return given


def _given(found: OrderedList, item: Sentence, span: Span) -> list[Sentence]:
    """Steps 1 to k whole, k as large as fits. Of a first step that is too long, what was chosen of
    it, else its beginning."""
    if not found.whole:
        return []
    parts: list[tuple[Passage, Span]] = []
    size = 0
    for index, step in enumerate(found.steps):
        mine = list(_parts(found.passages, step))
        size += sum(end - start for _passage, (start, end) in mine)
        if size > LONGEST_STEPS:
            chosen = [item] if not parts and _covers(step, span) else []
            sentences = chosen or _sentences(parts or mine[:1])
            last = found.first + len(found.steps) - 1
            return [*sentences[:-1], replace(sentences[-1], rest=(found.first + index, last))]
        parts += mine
    return _sentences(parts)


def _sentences(parts: Sequence[tuple[Passage, Span]]) -> list[Sentence]:
    """One a step and passage; one too short to be checked alone goes with its neighbour."""
    merged: list[tuple[Passage, Span]] = []
    for passage, (start, end) in parts:
        if merged and merged[-1][0] == passage:
            before = merged[-1][1]
            if not all(is_long_enough(_quote(passage, span)) for span in (before, (start, end))):
                merged[-1] = passage, (before[0], end)
                continue
        merged.append((passage, (start, end)))
    return [_sentence(passage, span) for passage, span in merged]


def _sentence(passage: Passage, span: Span) -> Sentence:
    quote = _quote(passage, span)
    return Sentence(reading(quote), passage.chunk_id, quote, at=span[0] - passage.start)


def _parts(passages: Sequence[Passage], step: Span) -> Iterator[tuple[Passage, Span]]:
    """A step as it stands in its passages, without the white space around it. What is in two of them
    is given once."""
    reached = step[0]
    for passage in passages:
        start = max(reached, passage.start)
        end = min(step[1], passage.start + len(passage.text))
        reached = max(reached, end)
        quote = _quote(passage, (start, end)) if start < end else ""
        if quote.strip():
            start += len(quote) - len(quote.lstrip())
            yield passage, (start, start + len(quote.strip()))


def _quote(passage: Passage, span: Span) -> str:
    return passage.text[span[0] - passage.start : span[1] - passage.start]


def _span(item: Sentence, starts: dict[int, int]) -> Span:
    start = starts.get(item.chunk_id, 0) + (item.at or 0)
    return start, start + len(item.quote)


def _meets(item: Sentence, span: Span, found: OrderedList) -> bool:
    within = any(passage.chunk_id == item.chunk_id for passage in found.passages)
    return within and span[0] < found.span[1] and found.span[0] < span[1]


def _covers(span: Span, other: Span) -> bool:
    return span[0] <= other[0] and other[1] <= span[1]


def _grown(text: str) -> Iterator[_Growing]:
    grown: _Growing | None = None
    for block in blocks_of(text):
        number = _number(text, block)
        if grown and grown.takes(text, block, number):
            continue
        if grown:
            yield grown
        grown = None if number is None else _Growing(indent(text, block), block.end)
        if grown and number is not None:
            grown.add_step(number, block)
    if grown:
        yield grown


def _number(text: str, block: Block) -> int | None:
    mark = _NUMBERED.match(text, block.start, block.end) if block.kind != "prose" else None
    return int(mark[1]) if mark else None


def _text_of(passages: Sequence[Passage]) -> str:
    """The passages at their places; only white space stands between those of one section, or a
    sentence of prose in both."""
    base, text = passages[0].start, ""
    for passage in passages:
        gap = passage.start - base - len(text)
        text += "\n" * gap + passage.text[max(0, -gap) :]
    return text
