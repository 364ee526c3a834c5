"""Find what a reader cannot see: invisible characters, long blanks, signs that pass for others. Pure.

What it does not see: ASCII that looks alike (l and 1, O and 0, rn and m), accents (é for e), Latin
letters of other languages, a word wholly in another alphabet that has a letter no Latin one
resembles, and what a typeface draws alike without any of this.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from opspilot.presentation import lookalikes

# Drawn as nothing (or as a plain gap) although their category says letter, mark or symbol.
_BLANK = frozenset({
    0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x2800, 0x3164, 0xFFA0, 0xFFFC, 0x16FE4,
}).union(range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0000, 0xE1000))  # fmt: skip
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
# A blank this long pushes what follows it out of sight: it is counted instead of drawn.
_LONG_SPACE, _LONG_BREAK = 40, 20
# Repeated this often, an invisible character is shown once, with its number.
_REPEATED = 4
# Whatever is not plain ASCII, the same character as often as it stands there; and long blanks.
_LINE, _LINES = (re.compile(rf"[ -~·À-ÖØ-öø-ÿ{more}]*") for more in ("", "\n"))
_BLANKS = (" " * _LONG_SPACE, "\n" * _LONG_BREAK)
_CANDIDATE = re.compile(rf" {{{_LONG_SPACE},}}|([^ -~])\1*")


class Kind(Enum):
    PLAIN = "plain"
    INVISIBLE = "invisible"
    LOOKALIKE = "lookalike"


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of the text in its order; joined, the pieces are the text again."""

    text: str
    kind: Kind = Kind.PLAIN

    @property
    def code(self) -> str:
        """What is printed for it: "U+200B", "U+0020 × 6000", "U+0430 CYRILLIC SMALL LETTER A"."""
        code = f"U+{ord(self.text[0]):04X}"
        if self.kind is Kind.LOOKALIKE:
            return f"{code} {unicodedata.name(self.text[0])}"
        return f"{code} × {len(self.text)}" if len(self.text) > 1 else code


def is_ordinary(text: str, *, keep_breaks: bool = False) -> bool:
    """Whether a text is made of ASCII, the accented letters of western Europe and the dot between two
    parts alone, and so is one plain segment. Of other texts it says nothing: they have to be looked at."""
    made_of = _LINES if keep_breaks else _LINE
    return made_of.fullmatch(text) is not None and not any(long in text for long in _BLANKS)


def segments(text: str, *, keep_breaks: bool = False) -> Iterator[Segment]:
    """Split a text at each suspect character. `keep_breaks` leaves newline and tab as they are,
    for places that draw them (pre)."""
    if is_ordinary(text, keep_breaks=keep_breaks):
        yield from [Segment(text)] if text else []
        return
    alike = frozenset() if text.isascii() else lookalikes.positions(text)
    start = 0
    for found in _CANDIDATE.finditer(text):
        run = found.group()
        kind = Kind.LOOKALIKE if found.start() in alike else _kind(run, keep_breaks)
        if kind is Kind.PLAIN:
            continue
        if start < found.start():
            yield Segment(text[start : found.start()])
        yield from _shown(run, kind)
        start = found.end()
    if start < len(text):
        yield Segment(text[start:])


def invisible_count(text: str) -> int:
    """How many characters are not seen; newline and tab are, unless they make a long blank."""
    return _count(text, Kind.INVISIBLE)


def lookalike_count(text: str) -> int:
    return _count(text, Kind.LOOKALIKE)


def _count(text: str, kind: Kind) -> int:
    pieces = segments(text, keep_breaks=True)
    return sum(len(piece.text) for piece in pieces if piece.kind is kind)


def _shown(run: str, kind: Kind) -> Iterator[Segment]:
    if kind is Kind.INVISIBLE and len(run) >= _REPEATED:
        yield Segment(run, kind)
    else:
        yield from (Segment(char, kind) for char in run)


def _kind(run: str, keep_breaks: bool) -> Kind:
    """Of one character, as often as it is repeated. Single spaces never come here."""
    char = run[0]
    if keep_breaks and char in "\n\t" and len(run) < _LONG_BREAK:
        return Kind.PLAIN
    unseen = ord(char) in _BLANK or unicodedata.category(char) in _UNSEEN_CATEGORIES
    return Kind.INVISIBLE if unseen else Kind.PLAIN
