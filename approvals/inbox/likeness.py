"""How alike two titles are, by the words they share. Pure; it informs a person and decides nothing."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

ALIKE = 0.5
"""From here on two titles are worth a look: half of their words are the same."""

_WORD = re.compile(r"\w+")
_EMPTY = frozenset({"com", "dos", "das", "nos", "nas", "para", "por", "que", "uma", "the", "and"})
_SHORTEST = 3  # letters; shorter words join sentences


def likeness(one: str, other: str) -> float:
    """From 0, no word in common, to 1, the same words in any order."""
    mine, theirs = words(one), words(other)
    if not mine or not theirs:
        return 1.0 if one.strip() == other.strip() else 0.0
    return 2 * len(mine & theirs) / (len(mine) + len(theirs))


@lru_cache(maxsize=2048)
def words(text: str) -> frozenset[str]:
    """Folded: without accents, case and the words that every sentence has. Numbers stay. A page
    compares one title with a hundred, and the next page much the same ones again."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    found = _WORD.findall(plain)
    return frozenset(
        word for word in found if word not in _EMPTY and (len(word) >= _SHORTEST or word.isdigit())
    )
