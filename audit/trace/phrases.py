"""Many names found in a text at once, whatever their case and accents."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from functools import cache

LEAST = 3  # characters: a shorter name would be found in every other word
_WORD = re.compile(r"\w+")


class Phrases:
    """Looked up by first word, so a text costs its own length and not that of the list."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._by_word: dict[str, list[str]] = defaultdict(list)
        for phrase in {folded(phrase.strip()) for phrase in phrases}:
            first = _WORD.search(phrase)
            if first and len(phrase) >= LEAST:
                self._by_word[first[0]].append(phrase)
        for found in self._by_word.values():
            found.sort(key=len, reverse=True)

    def replaced(self, text: str, word: str) -> str:
        """The text with this word in place of each phrase that stands in it as a whole."""
        if not self._by_word:
            return text
        text = unicodedata.normalize("NFC", text)
        low, parts, end = folded(text), [], 0
        for match in _WORD.finditer(low):
            if match.start() >= end and (stop := self._end(low, match)):
                parts += [text[end : match.start()], word]
                end = stop
        return "".join([*parts, text[end:]])

    def _end(self, low: str, match: re.Match[str]) -> int:
        """Where the longest phrase that starts at this word ends; 0 for none."""
        for phrase in self._by_word.get(match[0], ()):
            start = match.start() - (_WORD.search(phrase) or match).start()
            stop = start + len(phrase)
            if start >= 0 and low[start:stop] == phrase and not _goes_on(low, stop):
                return stop
        return 0


def folded(text: str) -> str:
    """Small letters without accents, one for each character, so that places stay the same."""
    return "".join(map(_plain, unicodedata.normalize("NFC", text)))


@cache
def _plain(character: str) -> str:
    return unicodedata.normalize("NFKD", character).casefold()[:1] or character


def _goes_on(low: str, stop: int) -> bool:
    return stop < len(low) and bool(_WORD.match(low[stop])) and bool(_WORD.match(low[stop - 1]))
