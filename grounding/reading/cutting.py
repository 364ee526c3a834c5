"""Packs the units of a section into passages, and cuts the one that is over-long where it may be cut."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grounding.reading.sections import LINE_END, Unit, Wrap

_SENTENCE_GAP = re.compile(r"(?<=[.!?])\s+")
_SPACE = re.compile(r"\s+")
_BLANK_LINES_FIRST = re.compile(r"(?:[^\S\r\n]{0,200}(?:\r\n|\r|\n))+")
_LONGEST_SENTENCE = 300  # that is repeated; a longer one would crowd out what is new
_LEAST_ROOM = 200  # characters a part gets however long the header that goes with it


@dataclass(frozen=True, slots=True)
class Part:
    """`text[start:end]`, with what is repeated around it."""

    start: int
    end: int
    lead: str = ""
    tail: str = ""


@dataclass(frozen=True, slots=True)
class Cutter:
    """For one text: `limit` in characters, the wraps that are not to be broken open, in order."""

    text: str
    limit: int
    overlap: bool
    wraps: Sequence[Wrap]

    def pack(self, units: Sequence[Unit]) -> Iterator[Part]:
        """Whole units together while they fit; an over-long one in parts of its own."""
        start = end = -1
        last: Unit | None = None
        for unit in units:
            first, stop = self._trim(unit.start, unit.end)
            if first == stop:
                continue
            if start >= 0 and stop - start <= self.limit:
                end, last = stop, unit
                continue
            if start >= 0:
                yield self._part(start, end)
                if last and self.overlap and last.kind == unit.kind == "prose":
                    first = self._overlapping(start, end, first, stop)
            *parts, (start, end) = self._cut(first, stop)
            yield from (self._part(a, b) for a, b in parts)
            last = unit
        if start >= 0:
            yield self._part(start, end)

    def _overlapping(self, start: int, end: int, first: int, stop: int) -> int:
        """Where the last sentence before `first` begins, if all of it still fits."""
        gaps = [match.end() for match in _SENTENCE_GAP.finditer(self.text, start, end)]
        sentence = gaps[-1] if gaps else start
        fits = stop - sentence <= self.limit and end - sentence <= _LONGEST_SENTENCE
        return sentence if fits and sentence > start else first

    def _part(self, start: int, end: int) -> Part:
        opened, closed = self._around(start), self._around(end)
        lead = opened.lead if opened and start >= opened.body else ""
        # At its own end a fence is closed by its text, unless nobody ever closed it.
        tail = closed.tail if closed else self._unclosed(end)
        return Part(start, end, lead, f"\n{tail}" if tail else "")

    def _around(self, place: int) -> Wrap | None:
        """The wrap that a cut at this place would break open."""
        found = (wrap for wrap in self.wraps if wrap.start < place < self._end_of(wrap))
        return next(found, None)

    def _end_of(self, wrap: Wrap) -> int:
        return self._trim(wrap.start, wrap.end)[1]

    def _unclosed(self, end: int) -> str:
        ends = (w.tail for w in self.wraps if w.is_open and w.start < end <= w.end)
        return next(ends, "")

    def _trim(self, start: int, end: int) -> tuple[int, int]:
        """Without blank lines before it and white space after it.

        The first line keeps its indentation: a code line or a nested item reads wrong without it.
        """
        end = start + len(self.text[start:end].rstrip())
        return self._after_blank_lines(start, end), end

    def _after_blank_lines(self, start: int, end: int) -> int:
        blank = _BLANK_LINES_FIRST.match(self.text, start, end)
        return blank.end() if blank else start

    def _cut(self, start: int, end: int) -> list[tuple[int, int]]:
        spans: list[tuple[int, int]] = []
        while end - start > self._room(start, end):
            cut = self._place(start, end)
            spans.append((start, start + len(self.text[start:cut].rstrip())))
            start = self._after_blank_lines(cut, end)
        return [(first, last) for first, last in [*spans, (start, end)] if first < last]

    def _room(self, start: int, end: int) -> int:
        opened = self._around(start)
        if opened is None or start < opened.body:
            return self.limit
        return max(_LEAST_ROOM, self.limit - len(opened.lead) - len(opened.tail))

    def _place(self, start: int, end: int) -> int:
        """Where an over-long unit is cut: after a line outside fences and tables, else after a line
        of their contents, else a sentence, else a word, else anywhere."""
        room = self._room(start, end)
        stop = start + room
        line_ends = [match.end() for match in LINE_END.finditer(self.text, start, stop)]
        outside = [cut for cut in line_ends if self._around(cut) is None]
        if outside and (outside[-1] - start >= room // 4 or self._is_whole_next(stop)):
            return outside[-1]
        inside = [cut for cut in line_ends if self._is_in_contents(cut)]
        if inside:
            return inside[-1]
        for pattern in (_SENTENCE_GAP, _SPACE):
            ends = [match.end() for match in pattern.finditer(self.text, start, stop)]
            if ends and ends[-1] - start >= room // 4:
                return ends[-1]
        return stop

    def _is_whole_next(self, stop: int) -> bool:
        """What is broken open at `stop` fits a part of its own."""
        wrap = self._around(stop)
        return wrap is not None and wrap.end - wrap.start <= self.limit

    def _is_in_contents(self, cut: int) -> bool:
        wrap = self._around(cut)
        return wrap is None or cut > wrap.body
