"""Which lines of a Markdown text stand in a top-level paragraph.

The remote looks for quick actions only there. Block structure follows CommonMark, with the
`>>>` quote and pipe tables of the remote; inline syntax is read for code spans alone.
"""

from __future__ import annotations

import re

_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_SETEXT = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_QUOTE = re.compile(r" {0,3}> ?")
_ITEM = re.compile(r"( {0,3})([-+*]|\d{1,9}[.)])( {1,4}(?=\S)|[ \t]|$)")
_TABLE_RULE = re.compile(r" {0,3}\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
_BLOCK_TAGS = (
    "address article aside base basefont blockquote body caption center col colgroup dd details"
    " dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6"
    " head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option"
    " p param search section summary table tbody td tfoot th thead title tr track ul"
)
_BLANK = re.compile(r"\s*$")
_HTML_BLOCKS = (
    (
        re.compile(r" {0,3}<(?:script|pre|style|textarea)(?:\s|>|$)", re.IGNORECASE),
        re.compile(r".*</(?:script|pre|style|textarea)>", re.IGNORECASE),
    ),
    (re.compile(r" {0,3}<!--"), re.compile(r".*-->")),
    (re.compile(r" {0,3}<\?"), re.compile(r".*\?>")),
    (re.compile(r" {0,3}<!\[CDATA\["), re.compile(r".*\]\]>")),
    (re.compile(r" {0,3}<![A-Za-z]"), re.compile(r".*>")),
    (
        re.compile(rf" {{0,3}}</?(?:{'|'.join(_BLOCK_TAGS.split())})(?:\s|/?>|$)", re.IGNORECASE),
        _BLANK,
    ),
)
# Containers deeper than this count as closed; it keeps hostile nesting from exhausting the stack.
_DEPTH_LIMIT = 20
_LONE_TAG = re.compile(r" {0,3}</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>\s*$")


def paragraph_lines(text: str) -> set[int]:
    """Numbers (from 0) of the lines that begin in plain top-level paragraph text."""
    scan = _Scan(text.split("\n"))
    return {number for block in scan.paragraphs for number in _outside_code(scan.lines, block)}


def without_code(text: str) -> str:
    """The text less its fenced blocks and code spans, for what acts only outside code."""
    lines = text.split("\n")
    fenced = _Scan(lines).fenced
    kept = "\n".join(line for number, line in enumerate(lines) if number not in fenced)
    return _CODE_SPAN.sub("", kept)


def _outside_code(lines: list[str], block: range) -> list[int]:
    joined = "\n".join(lines[number] for number in block)
    spans = [match.span() for match in _CODE_SPAN.finditer(joined)]
    found, offset = [], 0
    for number in block:
        if not any(start < offset < end for start, end in spans):
            found.append(number)
        offset += len(lines[number]) + 1
    return found


class _Scan:
    """One pass over the blocks of a container."""

    def __init__(self, lines: list[str], depth: int = 0) -> None:
        self.lines = lines
        self.depth = depth
        self.paragraphs: list[range] = []
        self.fenced: set[int] = set()
        self.open_paragraph = False
        number = 0 if depth < _DEPTH_LIMIT else len(lines)
        while number < len(lines):
            self.open_paragraph = False
            number = self._block(number)

    def _block(self, start: int) -> int:
        line = self.lines[start]
        if _BLANK.match(line) or _HEADING.match(line) or _RULE.match(line):
            return start + 1
        if line.startswith(("    ", "\t")):
            return start + 1
        if _FENCE.match(line):
            return self._fence(start)
        if _QUOTE.match(line):
            return self._quote(start)
        if _ITEM.match(line):
            return self._item(start)
        return self._html(start) or self._paragraph(start)

    def _fence(self, start: int) -> int:
        opened = _FENCE.match(self.lines[start])
        mark = opened.group(1) if opened else ""
        closing = re.compile(rf" {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
        end = self._first_match(start + 1, closing)
        self.fenced |= set(range(start, end))
        return end

    def _html(self, start: int) -> int:
        """The line after the HTML block that starts here, or 0 when none does."""
        line = self.lines[start]
        for opening, closing in _HTML_BLOCKS:
            if opening.match(line):
                return self._first_match(start, closing)
        return self._first_match(start, _BLANK) if _LONE_TAG.match(line) else 0

    def _first_match(self, start: int, pattern: re.Pattern[str]) -> int:
        for number in range(start, len(self.lines)):
            if pattern.match(self.lines[number]):
                return number + 1
        return len(self.lines)

    def _quote(self, start: int) -> int:
        if self.lines[start].rstrip() == ">>>" and ">>>" in self._stripped(start + 1):
            return start + 2 + self._stripped(start + 1).index(">>>")
        inner: list[str] = []
        lazy = False
        for number in range(start, len(self.lines)):
            line = self.lines[number]
            marked = bool(_QUOTE.match(line))
            if not marked and not self._continues(inner, line, lazy=lazy):
                return number
            lazy = not marked
            inner.append(_QUOTE.sub("", line, count=1))
        return self._ended(inner)

    def _item(self, start: int) -> int:
        marker = _ITEM.match(self.lines[start])
        width = marker.end() if marker else 0
        inner = [self.lines[start][width:]]
        lazy = False
        for number in range(start + 1, len(self.lines)):
            line = self.lines[number]
            inside = line.startswith(" " * width) or bool(_BLANK.match(line))
            if not inside and not self._continues(inner, line, lazy=lazy):
                return number
            lazy = not inside
            inner.append(line[width:] if inside else line)
        return self._ended(inner)

    def _continues(self, inner: list[str], line: str, *, lazy: bool) -> bool:
        """A line without the container's mark still belongs to its last open paragraph.

        After one such (`lazy`) line the paragraph is known to be open.
        """
        return not _interrupts(line) and (lazy or self._inside(inner).open_paragraph)

    def _ended(self, inner: list[str]) -> int:
        self.open_paragraph = self._inside(inner).open_paragraph
        return len(self.lines)

    def _inside(self, inner: list[str]) -> _Scan:
        return _Scan(inner, self.depth + 1)

    def _stripped(self, start: int) -> list[str]:
        return [line.rstrip() for line in self.lines[start:]]

    def _paragraph(self, start: int) -> int:
        for number in range(start + 1, len(self.lines)):
            line = self.lines[number]
            if _SETEXT.match(line):
                return number + 1
            if _TABLE_RULE.match(line) and "|" in self.lines[number - 1]:
                return self._table(start, number)
            if _interrupts(line):
                self.paragraphs.append(range(start, number))
                return number
        self.paragraphs.append(range(start, len(self.lines)))
        self.open_paragraph = True
        return len(self.lines)

    def _table(self, start: int, rule: int) -> int:
        if rule - 1 > start:
            self.paragraphs.append(range(start, rule - 1))
        for number in range(rule + 1, len(self.lines)):
            if _interrupts(self.lines[number]):
                return number
        return len(self.lines)


def _interrupts(line: str) -> bool:
    """Whether the line ends a paragraph it follows."""
    item = _ITEM.match(line)
    if item and line[item.end() :].strip() and item.group(2) in {"-", "+", "*", "1.", "1)"}:
        return True
    starts = (_BLANK, _HEADING, _RULE, _FENCE, _QUOTE, *(opening for opening, _ in _HTML_BLOCKS))
    return any(pattern.match(line) for pattern in starts)
