"""Many names found in a text at once, however they are written: case, accents, what stands between
the words, and the percent signs of an address make no difference."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from urllib.parse import unquote

LEAST = 3  # characters: a shorter name would be found in every other word
_PIECE = re.compile(r"(?:%[0-9A-Fa-f]{2})+|.", re.DOTALL)
_NO_SIGN = {"Zs", "Zl", "Zp", "Cc", "Cf", "Mn", "Me"}


@dataclass(frozen=True, slots=True)
class _Bare:
    """The letters and signs of a text without what stands between its words; of each, where it is."""

    text: str
    places: list[tuple[int, int]]

    def begins(self, at: int) -> bool:
        """Whether no word goes on into this place."""
        return at == 0 or self._apart(at - 1, at)

    def ends(self, at: int) -> bool:
        """Whether no word goes on after the place before this one."""
        return at == len(self.text) or self._apart(at - 1, at)

    def _apart(self, left: int, right: int) -> bool:
        together = self.places[left][1] >= self.places[right][0]
        return not (together and self.text[left].isalnum() and self.text[right].isalnum())


class Phrases:
    """Looked up by their first characters, so a text costs its own length and not the list's."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._by_start: dict[str, set[str]] = defaultdict(set)
        for phrase in phrases:
            bare = _trimmed(_read(phrase))
            if len(bare) >= LEAST:
                self._by_start[bare[:LEAST]].add(bare)
        self._lengths = {
            start: sorted({len(phrase) for phrase in found}, reverse=True)
            for start, found in self._by_start.items()
        }

    def replaced(self, text: str, word: str) -> str:
        """The text with this word in place of each phrase that stands in it as a whole."""
        if self._by_start.keys().isdisjoint(_starts(text)):  # as in nearly every text
            return text
        text = unicodedata.normalize("NFC", text)
        bare, parts, end = _bare(text), [], 0
        for start, stop in self._found(bare):
            first, last = bare.places[start][0], bare.places[stop - 1][1]
            parts += [text[end:first], word]
            end = last
        return "".join([*parts, text[end:]])

    def _found(self, bare: _Bare) -> Iterator[tuple[int, int]]:
        end = 0
        for at in range(len(bare.text) - LEAST + 1):
            known = at >= end and bare.text[at : at + LEAST] in self._lengths
            if known and bare.begins(at) and (stop := self._stop(bare, at)):
                yield at, stop
                end = stop

    def _stop(self, bare: _Bare, at: int) -> int:
        """Where the longest phrase that begins here ends; 0 for none."""
        start = bare.text[at : at + LEAST]
        for length in self._lengths[start]:
            if bare.text[at : at + length] in self._by_start[start] and bare.ends(at + length):
                return at + length
        return 0


@lru_cache(maxsize=64)
def _starts(text: str) -> list[str]:
    """Each LEAST letters and signs in a row of the text, as phrases are looked up. The same text is
    asked for by several lists of phrases one after the other."""
    bare = _read(text) if "%" in text else "".join(map(_plain, text))
    return [bare[at : at + LEAST] for at in range(len(bare) - LEAST + 1)]


def _bare(text: str) -> _Bare:
    """Without case, accents, spaces, `_`, `+` and what cannot be seen."""
    if "%" not in text:
        signs = list(map(_plain, text))
        places = [(at, at + 1) for at, some in enumerate(signs) for _sign in some]
        return _Bare("".join(signs), places)
    pieces = [(piece.span(), _read(piece[0])) for piece in _PIECE.finditer(text)]
    return _Bare(
        "".join(some for _span, some in pieces), [span for span, some in pieces for _sign in some]
    )


def _read(piece: str) -> str:
    return "".join(map(_plain, unquote(piece) if "%" in piece else piece))


def _trimmed(bare: str) -> str:
    """From its first letter to its last: quotes and full stops around a name come and go."""
    first, last = 0, len(bare)
    while first < last and not bare[first].isalnum():
        first += 1
    while first < last and not bare[last - 1].isalnum():
        last -= 1
    return bare[first:last]


@cache
def _plain(character: str) -> str:
    apart = unicodedata.normalize("NFKD", character).casefold()
    return "".join(sign for sign in apart if sign not in "_+" and _is_sign(sign))


def _is_sign(character: str) -> bool:
    return unicodedata.category(character) not in _NO_SIGN
