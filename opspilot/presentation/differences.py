"""What changed between two texts, by lines and, inside a changed line, by words. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Literal

Kind = Literal["same", "removed", "added", "gap"]

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")
# Comparing words takes time that grows with the square of their number; beyond this the line is
# shown as changed, without saying where.
_MOST_WORDS = 400
# Below this share of equal words two lines have nothing to do with each other.
_LEAST_ALIKE = 0.4


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    kind: Kind
    pieces: tuple[Piece, ...] = ()
    hidden: int = 0  # of a gap: how many equal lines it stands for

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def changes(before: str, after: str, *, context: int = 3) -> list[Line]:
    """The lines that differ, with `context` equal ones around them. Equal texts: an empty list."""
    old, new = before.splitlines(), after.splitlines()
    found: list[Line] = []
    reached = 0
    for group in SequenceMatcher(None, old, new).get_grouped_opcodes(context):
        if all(step[0] == "equal" for step in group):
            continue
        found += _gap(group[0][1] - reached)
        for step, old_from, old_to, new_from, new_to in group:
            found += _lines(step, old[old_from:old_to], new[new_from:new_to])
        reached = group[-1][2]
    return found + _gap(len(old) - reached) if found else []


def _gap(hidden: int) -> list[Line]:
    return [Line("gap", hidden=hidden)] if hidden else []


def _lines(step: str, old: Sequence[str], new: Sequence[str]) -> list[Line]:
    if step == "equal":
        return [Line("same", (Piece(text),)) for text in old]
    pairs = [_pair(was, now) for was, now in zip_longest(old, new)]
    removed = [Line("removed", was) for was, _ in pairs if was is not None]
    return removed + [Line("added", now) for _, now in pairs if now is not None]


def _pair(
    was: str | None, now: str | None
) -> tuple[tuple[Piece, ...] | None, tuple[Piece, ...] | None]:
    if was is None or now is None:
        return _whole(was), _whole(now)
    old, new = _WORDS.findall(was), _WORDS.findall(now)
    if max(len(old), len(new)) > _MOST_WORDS:
        return _whole(was), _whole(now)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < _LEAST_ALIKE:
        return _whole(was), _whole(now)
    steps = matcher.get_opcodes()
    before = [Piece("".join(old[a:b]), step != "equal") for step, a, b, _, _ in steps if a < b]
    after = [Piece("".join(new[a:b]), step != "equal") for step, _, _, a, b in steps if a < b]
    return tuple(before), tuple(after)


def _whole(text: str | None) -> tuple[Piece, ...] | None:
    return None if text is None else (Piece(text),)
