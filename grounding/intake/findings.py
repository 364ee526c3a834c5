"""What a person should know before a file answers questions, and which of it keeps the file back.

The table of signs is explained in docs/reference/file-formats.md.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from audit.guard import secret_shapes
from audit.guard.folding import folded
from audit.guard.kinds import REFUSED, Kind
from audit.guard.looking import cleaned, spans
from grounding.formats.extracted import MAX_PLACES, Extracted, Place, Sign, counted
from grounding.reading import imperatives, invisibles

KEEPS_BACK = frozenset(
    {"hidden", "covert", "imperative", "secret", "personal", "mojibake", "textless"}
)
_AROUND = 80
_MOST = 50  # of one kind: then it is only "many"
_CARD = re.compile(r"cart[aã]o|card|visa|master", re.I)
_NAMED_VALUE = re.compile(r"\A[\w-]{0,40}\\?[\"']?\s*[:=]\s*\\?[\"']?(?P<value>.*)", re.S)
# Letters and digits, in one word.
_VALUE = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])[^\s$<({\[.]{8,}\Z")
_EXAMPLE = re.compile(r"\$\{?\w|<[\w -]+>|\.\.\.|x{4,}|\*{3,}|example|exemplo", re.I)
_WINDOW = 4_000  # characters that are looked at for secrets at once


def of(found: Extracted) -> tuple[Sign, ...]:
    """Everything that was noticed, the readers' signs first."""
    orders = [*_orders(found.text), *_in_comments(found.comments)]
    comments = (Sign("comments", str(len(found.comments))),) if found.comments else ()
    secrets = list(_secrets(found.text))
    return (
        *(_covered(sign) for sign in found.signs),
        *comments,
        *counted("imperative", orders),
        *counted("secret", (place for kind, place in secrets if kind == Kind.SEGREDO)),
        *counted("personal", (place for kind, place in secrets if kind != Kind.SEGREDO)),
    )


def keeps_back(signs: Sequence[Sign]) -> bool:
    return any(sign.code in KEEPS_BACK for sign in signs)


def seal(signs: Sequence[Sign]) -> str:
    """What an admin saw is what is released: other findings have another seal."""
    written = json.dumps([asdict(sign) for sign in signs], sort_keys=True)
    return hashlib.sha256(written.encode()).hexdigest()


def _covered(sign: Sign) -> Sign:
    """The words a reader kept may have a secret beside what they were kept for."""
    places = (Place(p.where, cleaned(p.at), cleaned(p.text)) for p in sign.places)
    return replace(sign, places=tuple(places))


def _orders(text: str) -> Iterator[Place]:
    line = at = 0
    for start, end in imperatives.spans(text, most=_MOST):
        line += text.count("\n", at, start)
        at = start
        yield Place("line", str(line + 1), cleaned(text[max(0, start - _AROUND) : end + _AROUND]))


def _in_comments(comments: Sequence[str]) -> Iterator[Place]:
    for number, comment in enumerate(comments, start=1):
        plain = invisibles.INVISIBLE.sub("", comment)
        for start, end in imperatives.spans(plain, most=MAX_PLACES):
            words = plain[max(0, start - _AROUND) : end + _AROUND]
            yield Place("comment", str(number), cleaned(words))


def _secrets(text: str) -> Iterator[tuple[Kind, Place]]:
    """Each with the words around it, itself masked: no one who reviews needs the secret."""
    line = 1
    for window in _windows(text):
        read = folded(window)
        for start, end, kind in spans(read):
            if kind in REFUSED and _in_earnest(kind, read, start, end):
                at = line + read.count("\n", 0, start)
                around = read[max(0, start - _AROUND) : end + _AROUND]
                yield kind, Place("line", str(at), cleaned(around))
        line += window.count("\n")


def _in_earnest(kind: Kind, read: str, start: int, end: int) -> bool:
    """Stricter than what is masked in the trail: there a word too much costs nothing, here a person's
    time. A runbook is full of `token: $TOKEN`, of names of keys, and of long numbers."""
    found = read[start:end]
    if kind == Kind.CARTAO:
        return not found.isdecimal() or _CARD.search(read[max(0, start - 40) : start]) is not None
    if kind != Kind.SEGREDO:
        return True
    named = _NAMED_VALUE.search(found)
    if named is None or "://" in found or "-----BEGIN" in found:
        return secret_shapes.is_written_out(found) and not _EXAMPLE.search(found)
    return _VALUE.match(named["value"]) is not None and not _EXAMPLE.search(found)


def _windows(text: str) -> Iterator[str]:
    """Cut at line ends where there are any."""
    start = 0
    while start < len(text):
        end = min(start + _WINDOW, len(text))
        if end < len(text):
            end = text.rfind("\n", start, end) + 1 or end
        yield text[start:end]
        start = end
