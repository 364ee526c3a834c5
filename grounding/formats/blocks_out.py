"""Blocks of Markdown one after another, written by whoever walks through a document."""

from __future__ import annotations

import re

_BLANK = re.compile(r"[ \t\r\f\v\u00a0]*\n[ \t\r\f\v\u00a0]*|[ \t\r\f\v\u00a0]+")
_LIKE_BLOCK = re.compile(r"(?=#{1,6}\s|>|(?:```|~~~))")
_MAX_INDENT = 8  # levels; a deeper list goes on at this one


class Blocks:
    """Inline text is collected until the block it stands in ends."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self._inline: list[str] = []
        self._lead = ""  # of the block that is being written: a heading's or an item's mark
        self._was_item = False

    def text(self, words: str) -> None:
        self._inline.append(words)

    def lead(self, mark: str) -> None:
        """What is written next begins with this mark."""
        self.end()
        self._lead = mark

    def end(self) -> None:
        """The block that is being written is over; without words there was none."""
        words = _tidy("".join(self._inline))
        self._inline.clear()
        if not words:
            return
        lead, self._lead = self._lead, ""
        if lead.startswith("#"):
            words = words.replace("\n", " ")
        self._put(lead, words)

    def no_lead(self) -> None:
        self.end()
        self._lead = ""

    def item(self, mark: str, depth: int) -> None:
        self.lead("   " * min(depth, _MAX_INDENT) + mark + " ")

    def whole(self, block: str) -> None:
        """A block that is already written: a table or a fence."""
        self.end()
        if block.strip():
            self.done.append(block)
            self._was_item = False

    def written(self) -> str:
        self.end()
        return "\n\n".join(self.done)

    def _put(self, lead: str, words: str) -> None:
        is_item = bool(lead) and not lead.startswith("#")
        if is_item:
            words = words.replace("\n", "\n" + " " * len(lead))
        elif not lead:
            words = _LIKE_BLOCK.sub("\\\\", words, count=1) if _LIKE_BLOCK.match(words) else words
        if is_item and self._was_item:
            self.done[-1] += "\n" + lead + words
        else:
            self.done.append(lead + words)
        self._was_item = is_item


def fence(code: str) -> str:
    """The lines as they are, between marks that none of them ends."""
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    mark = "`" * (longest + 1)
    lines = "\n".join(line.rstrip() for line in code.splitlines()).strip("\n")
    return f"{mark}\n{lines}\n{mark}" if lines.strip() else ""


def _tidy(text: str) -> str:
    """White space as a page draws it: one blank, and a line end where there was one."""
    return _BLANK.sub(lambda run: "\n" if "\n" in run[0] else " ", text).strip()
