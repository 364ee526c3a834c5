"""One look at a text: everything in it that never enters the trail, and the text without it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from audit.guard import documents, secret_shapes, sensitive
from audit.guard.folding import folded
from audit.guard.kinds import STAND_INS, Kind

Span = tuple[int, int, Kind]

# A name ends in letters, so that a version (`console@0.1.0`) and a host by number are none.
# Bounded, and begun only where a word begins: else a long word is tried from each of its letters.
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_][\w-]{1,62}")

# What our own code writes in most rows: a hash, an id.
_OURS = re.compile(
    r"(?:sha256 )?[0-9a-f]{64}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32}"
)
# Names, versions and signatures come again and again. Never a text that something was found in.
_known_clean: set[str] = set()
_KEPT, _SHORT = 4096, 64


def cleaned(text: str, told: Counter[Kind] | None = None) -> str:
    """The text with a stand-in for each finding; `told` counts them by kind.

    What was hidden by look-alikes or escapes comes back undone where something was found, and
    untouched where nothing was.
    """
    if text in _known_clean or _OURS.fullmatch(text):
        return text
    read = folded(text)
    found = spans(read)
    if not found:
        _remember(text)
        return text
    if told is not None:
        told.update(kind for _start, _end, kind in found)
    return "".join(_parts(read, found))


def spans(text: str) -> list[Span]:
    """The findings in a folded text from left to right; where two meet, the one that began first
    stands for both."""
    longest = max(map(len, text.split()), default=0)
    found: list[Span] = [
        (*span, Kind.SEGREDO) for span in secret_shapes.spans(text, longest=longest)
    ]
    if "@" in text:
        found += [(*match.span(), Kind.EMAIL) for match in _EMAIL.finditer(text)]
    found += documents.spans(text, longest=longest)
    found += [(*span, Kind.SENSIVEL) for span in sensitive.spans(text)]
    return _apart(found) if len(found) > 1 else found


def _remember(text: str) -> None:
    if len(text) > _SHORT:
        return
    if len(_known_clean) >= _KEPT:
        _known_clean.clear()
    _known_clean.add(text)


def _apart(found: list[Span]) -> list[Span]:
    kept: list[Span] = []
    for start, end, kind in sorted(found, key=lambda span: (span[0], -span[1])):
        if kept and start < kept[-1][1]:
            before = kept[-1]
            kept[-1] = (before[0], max(before[1], end), before[2])
        else:
            kept.append((start, end, kind))
    return kept


def _parts(text: str, found: list[Span]) -> Iterator[str]:
    at = 0
    for start, end, kind in found:
        yield text[at:start]
        yield STAND_INS[kind]
        at = end
    yield text[at:]
