"""The same text as a reader of it sees it: look-alike digits, hidden characters and escapes undone.

A number is the same number in full-width digits, with nothing between its digits that can be seen,
percent-encoded, or written as JSON escapes.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

# Characters that take no room: a text reads the same without them.
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)
_DASHES = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-")
)
# What none of this is for: most of our texts have accents, and nothing beyond.
_ODD = re.compile("[^\x00-\u024f]|[\u00a0\u00ad\u00b2\u00b3\u00b9]")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_BROKEN = re.compile("[\ud800-\udfff]")


def folded(text: str) -> str:
    """The text itself when there is nothing to undo; it is then the same object."""
    if "\\u" in text:
        text = _BROKEN.sub("\N{REPLACEMENT CHARACTER}", _ESCAPED.sub(_character, text))
    if "%" in text:
        text = unquote(text)
    return _ascii_digits(_visible(text)) if _ODD.search(text) else text


def _character(found: re.Match[str]) -> str:
    return chr(int(found[1], 16))


def _visible(text: str) -> str:
    text = _HIDDEN.sub("", text)
    if not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    return text.translate(_DASHES)


def _ascii_digits(text: str) -> str:
    """Digits of other scripts as ours; nothing to do in most texts, which have accents only."""
    if not any(char.isdecimal() and not char.isascii() for char in text):
        return text
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)
