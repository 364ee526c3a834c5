"""Letters and signs that pass for others: a small rule of our own over the Unicode data of Python.

Its limits stand in `hidden_text`, which shows what this finds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

_MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_WORD = re.compile(rf"[\w{_MARKS}]+")
_STACK = re.compile(rf"[{_MARKS}]{{3,}}")
_READABLE_MARKS = 2  # accents on one letter; what is piled on top of them hides it
_OTHER = re.compile(r"[^\x00-\x7f]")
# Written without spaces, these stand beside Latin letters in honest texts.
_UNSPACED = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"})
# Not of a script, although their category is "letter".
_NEUTRAL = frozenset({"", "FEMININE", "MASCULINE", "MICRO", "MODIFIER"})
# Letters of which a Latin reader sees nothing else: a word made of these alone is Latin to the eye.
_TWINS = frozenset(
    "аеорсухѕіјӏԁԛԝһѵАВЕКМНОРСТУХЅІЈԚԜӀ"  # Cyrillic
    "ονραιυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"  # Greek
    "օոսհցյ"  # Armenian
)
# Latin letters and signs drawn like ASCII ones that no decomposition ties to them.
_ALONE = frozenset("ıȷɑɡɩɪǀǃⲟ⁄∕⧸╱∶꞉ːˑ։׃꓿ꓸ‐‑‒⁃。ꞌ")
_SAME = ("<wide>", "<font>", "<compat>", "<small>", "<narrow>")


def positions(text: str) -> frozenset[int]:
    """Where in the text a character stands that passes for another."""
    found = {at.start() for at in _OTHER.finditer(text) if _passes_for_ascii(at.group())}
    words = [word for word in _WORD.finditer(text) if not word.group().isascii()]
    spoken = {script for word in words for script in _distinct(word.group())}
    for word in words:
        found |= {word.start() + at for at in _foreign(word.group(), spoken)}
    for pile in _STACK.finditer(text):
        found |= set(range(pile.start() + _READABLE_MARKS, pile.end()))
    return frozenset(found)


@cache
def _passes_for_ascii(char: str) -> bool:
    """A sign of its own that is drawn as one of ASCII, or laid over its neighbour."""
    if char in _ALONE or unicodedata.category(char) == "Me" or unicodedata.combining(char) == 1:
        return True
    plain = unicodedata.normalize("NFKC", char)
    if not plain.isascii() or not plain.isprintable() or plain == " ":
        return False
    origin = unicodedata.decomposition(char).partition(" ")[0]
    single = len(plain) == 1 or unicodedata.category(char)[0] in "LN"
    return single and (origin in _SAME or not origin.startswith("<"))


def _foreign(word: str, spoken: set[str]) -> Iterator[int]:
    """The letters and digits of a word that are not of the script it is read in. A word wholly in
    another alphabet is that language, unless nothing in the text tells it from Latin."""
    scripts = [_script(char) for char in word]
    if "LATIN" in scripts:
        yield from (at for at, script in enumerate(scripts) if _is_other(script))
    elif _is_twin(word) and not spoken & set(scripts):
        yield from (at for at, script in enumerate(scripts) if script)
    if any(char.isascii() and char.isalnum() for char in word):
        yield from (at for at, char in enumerate(word) if char.isdecimal() and not char.isascii())


def _is_other(script: str) -> bool:
    return script not in _NEUTRAL and script not in _UNSPACED and script != "LATIN"


def _is_twin(word: str) -> bool:
    letters = [char for char in word if char.isalpha()]
    return len(letters) > 1 and all(char in _TWINS for char in letters)


def _distinct(word: str) -> Iterator[str]:
    """The scripts of the word's letters that no Latin letter resembles."""
    return (_script(char) for char in word if char.isalpha() and char not in _TWINS)


@cache
def _script(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0] if char.isalpha() else ""
