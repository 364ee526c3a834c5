"""NFC that takes a time in proportion to the text, whatever the text is.

Ordering combining marks is quadratic in the length of a run of them, and holds the interpreter:
one hostile file would stop every other request. Longer runs are broken with U+034F, as the
Stream-Safe Text Format of UAX #15 does; no writing has them.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata

LONGEST_RUN = 30  # combining marks on one letter, UAX #15-D3
_JOINER = "\u034f"


def nfc(text: str) -> str:
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _long_runs().sub(_broken, text))


def _broken(run: re.Match[str]) -> str:
    marks = run[0]
    pieces = (marks[at : at + LONGEST_RUN] for at in range(0, len(marks), LONGEST_RUN))
    return _JOINER.join(pieces)


@functools.cache
def _long_runs() -> re.Pattern[str]:
    """Every character with a combining class, as ranges; made once, in about a fifth of a second."""
    marks = [code for code in range(sys.maxunicode + 1) if unicodedata.combining(chr(code))]
    ranges: list[list[int]] = []
    for code in marks:
        if ranges and code == ranges[-1][1] + 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    inside = "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)
    return re.compile(f"[{inside}]{{{LONGEST_RUN + 1},}}")
