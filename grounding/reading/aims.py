"""What a question is after, told by the words it is asked with."""

from __future__ import annotations

import re
from typing import Literal

Aim = Literal["fact", "action", "moment", "permission"]

_BARE = 3  # a question of so few words, and no question word, asks what to do about them
_AIMS: tuple[tuple[Aim, re.Pattern[str]], ...] = (
    (
        "action",
        re.compile(
            r"""\b(?:o\sque\s(?:eu\s)?(?:fazer|fa[cç]o|devo|preciso)|que\sfazer|como|(?:em\s)?(?:que|qual)\sordem
            |what\s(?:should|do|must|can)\s(?:i|we)|what\sto\sdo|how\s(?:do|can|should|to)
            |(?:which|what)\sorder|(?:quais|which|what)\s(?:os\s|are\sthe\s)?(?:passos|steps))\b""",
            re.VERBOSE,
        ),
    ),
    (
        "moment",
        re.compile(
            r"^\W*(?:quando|a\spartir\sde\squando|em\sque\scasos?)\b"
            r"|\bwhen\s(?:should|do|can|may|must|to)\b"
        ),
    ),
    (
        "permission",
        re.compile(
            r"\b(?:posso|podemos|devo|devemos|é\sseguro|pode(?=\s\w+r\b)"
            r"|(?:can|may|should|must)\s(?:i|we)|is\sit\s(?:safe|ok|okay|allowed))\b"
        ),
    ),
)
_ASKS = re.compile(
    r"\b(?:qua(?:l|is)|quem|quantos?|quantas?|onde|por\s?qu[eê]|what|which|who|where|why|how)\b"
)


def aim(text: str) -> Aim:
    """What a question is after: what to do, at which moment, whether one may, or a fact."""
    asked = text.casefold()
    for found, pattern in _AIMS:
        if pattern.search(asked):
            return found
    return "action" if 0 < len(asked.split()) <= _BARE and not _ASKS.search(asked) else "fact"
