"""Find what a reader cannot see: invisible characters and letters that pass for others. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

# Drawn as nothing (or as a plain gap) although their category says letter, mark or symbol.
_BLANK = frozenset({0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x2800, 0x3164, 0xFFA0}).union(
    range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0000, 0xE1000)
)
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
_LOOKALIKE_SCRIPTS = ("CYRILLIC", "GREEK", "COPTIC", "ARMENIAN", "CHEROKEE")
_WORD = re.compile(r"\w+")


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
        """What is printed for the character: "U+200B", "U+0430 CYRILLIC SMALL LETTER A"."""
        code = f"U+{ord(self.text):04X}"
        if self.kind is Kind.LOOKALIKE:
            return f"{code} {unicodedata.name(self.text)}"
        return code


def segments(text: str, *, keep_breaks: bool = False) -> Iterator[Segment]:
    """Split a text at each suspect character. `keep_breaks` leaves newline and tab as they are,
    for places that draw them (pre)."""
    lookalikes = frozenset() if text.isascii() else _lookalike_positions(text)
    start = 0
    for position, char in enumerate(text):
        kind = Kind.LOOKALIKE if position in lookalikes else _kind(char, keep_breaks)
        if kind is Kind.PLAIN:
            continue
        if start < position:
            yield Segment(text[start:position])
        yield Segment(char, kind)
        start = position + 1
    if start < len(text):
        yield Segment(text[start:])


def invisible_count(text: str) -> int:
    return sum(1 for char in text if _kind(char, keep_breaks=True) is Kind.INVISIBLE)


def _kind(char: str, keep_breaks: bool) -> Kind:
    if char == " " or (keep_breaks and char in "\n\t"):
        return Kind.PLAIN
    unseen = ord(char) in _BLANK or unicodedata.category(char) in _UNSEEN_CATEGORIES
    return Kind.INVISIBLE if unseen else Kind.PLAIN


def _lookalike_positions(text: str) -> frozenset[int]:
    """The foreign letters of words that also have Latin ones. A word wholly in another alphabet
    is that language and is left alone."""
    found: set[int] = set()
    for word in _WORD.finditer(text):
        scripts = [_script(char) for char in word.group()]
        if "LATIN" in scripts:
            found |= {word.start() + i for i, s in enumerate(scripts) if s in _LOOKALIKE_SCRIPTS}
    return frozenset(found)


def _script(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0] if char.isalpha() else ""
