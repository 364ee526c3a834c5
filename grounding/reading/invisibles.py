"""Characters that nobody sees: taken out of a text, counted, and shown where they stood."""

from __future__ import annotations

import re
from collections.abc import Iterator

CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]")
INVISIBLE = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
# Never in honest prose: a second alphabet that no screen draws, a turn of the reading direction.
_COVERT = re.compile("[\U000e0000-\U000e007f\u202d\u202e\u2066-\u2069]")
_RUN = re.compile(INVISIBLE.pattern.replace("\u00ad", "") + "+")
_TAG = 0xE0000
MANY = 12  # zero-width characters; a pasted page has one or two
_AROUND = 40


def is_covert(text: str) -> bool:
    """Whether what is invisible in it looks meant: a hidden alphabet, or words taken apart by it."""
    if _COVERT.search(text):
        return True
    return sum(len(run[0]) for run in _RUN.finditer(text)) >= MANY


def places(text: str, *, most: int) -> Iterator[tuple[int, str]]:
    """(line, the words around) of the first runs of such characters, each written out."""
    line = at = 0
    for number, run in enumerate(INVISIBLE.finditer(text)):
        if number >= most:
            return
        line += text.count("\n", at, run.start())
        at = run.start()
        around = text[max(0, at - _AROUND) : at + 3 * _AROUND]
        yield line + 1, INVISIBLE.sub(_shown, around)


def hidden_words(text: str) -> str:
    """What the alphabet of tags says, in letters."""
    return "".join(chr(ord(c) - _TAG) for c in text if 0x20 <= ord(c) - _TAG < 0x7F)


def _shown(found: re.Match[str]) -> str:
    point = ord(found[0])
    return chr(point - _TAG) if 0x20 <= point - _TAG < 0x7F else f"⟨U+{point:04X}⟩"
