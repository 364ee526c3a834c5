"""Numbers of documents and cards in a text: found by their form, known by their check digits.

A run of hexadecimal digits as long as a hash, a UUID and the digits of a decimal fraction are not
looked into: they are ours, and one in a hundred would pass for a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.guard.kinds import Kind

Span = tuple[int, int, Kind]

_DIGITS = 11  # fewer make no document
_ENOUGH = re.compile(r"[0-9](?:[. /-]?[0-9]){10}")
_HASH = re.compile(r"[0-9a-f]{32,}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_NOT_BEFORE = r"(?<![0-9])(?<![0-9][.,])"
_NOT_AFTER = r"(?![0-9])(?![.,][0-9])"
_CPF = re.compile(
    rf"{_NOT_BEFORE}[0-9]{{3}}[. ]?[0-9]{{3}}[. ]?[0-9]{{3}}[-. /]?[0-9]{{2}}{_NOT_AFTER}"
)
_CNPJ = re.compile(
    rf"{_NOT_BEFORE}[0-9]{{2}}[. ]?[0-9]{{3}}[. ]?[0-9]{{3}}[/ ]?[0-9]{{4}}[-. ]?[0-9]{{2}}{_NOT_AFTER}"
)
# Alphanumeric since July 2026: letters in the first twelve places. It ends in two digits, so it is
# looked for backwards from there: most texts have few.
_LETTERED_END = re.compile(r"[0-9]{2}(?![0-9A-Za-z])")
_LETTERED = re.compile(
    r"(?:(?<![0-9A-Za-z])|(?<=\\[nrt]))"
    r"[0-9A-Za-z]{2}\.?[0-9A-Za-z]{3}\.?[0-9A-Za-z]{3}/?[0-9A-Za-z]{4}-?[0-9]{2}\Z"
)
_LETTERED_LENGTH = 18
_CARD = re.compile(rf"{_NOT_BEFORE}(?:[0-9][ .-]?){{12,18}}[0-9]{_NOT_AFTER}")
# The first digits and lengths of the cards that circulate: other long numbers are protocols.
_ISSUED = re.compile(
    r"4[0-9]{12}(?:[0-9]{3}){0,2}|5[0-9]{15}|2[2-7][0-9]{14}|3[47][0-9]{13}"
    r"|3(?:0[0-5]|[68][0-9])[0-9]{11}|6[0-9]{15,18}"
)
_WEIGHTS = (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)


def spans(text: str, *, longest: int) -> list[Span]:
    """Where the documents and cards of the text stand, whose longest word has so many characters:
    from left to right, none over another."""
    found = list(_numbers(text)) if _ENOUGH.search(text) else []
    if longest >= len(_WEIGHTS) + 1:
        found += _lettered(text)
    return _apart(found, text) if found else found


def _apart(found: list[Span], text: str) -> list[Span]:
    ours = [match.span() for match in _HASH.finditer(text)]
    kept: list[Span] = []
    for span in sorted(found, key=lambda found: (found[0], -found[1])):
        if not _is_inside(span, ours) and (not kept or span[0] >= kept[-1][1]):
            kept.append(span)
    return kept


def _numbers(text: str) -> Iterator[Span]:
    for pattern, kind, is_valid in (
        (_CNPJ, Kind.CNPJ, _is_cnpj),
        (_CARD, Kind.CARTAO, _is_card),
        (_CPF, Kind.CPF, _is_cpf),
    ):
        for found in pattern.finditer(text):
            if is_valid("".join(filter(str.isdigit, found[0]))):
                yield (*found.span(), kind)


def _lettered(text: str) -> Iterator[Span]:
    for end in _LETTERED_END.finditer(text):
        start = max(0, end.end() - _LETTERED_LENGTH)
        for begin in range(start, end.end() - 13):
            found = _LETTERED.match(text, begin, end.end())
            if found and _is_cnpj("".join(filter(str.isalnum, found[0])).upper()):
                yield (*found.span(), Kind.CNPJ)
                break


def _is_inside(span: Span, ours: list[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in ours)


def _is_cpf(digits: str) -> bool:
    if len(digits) != _DIGITS or len(set(digits)) == 1:
        return False
    return all(
        (sum((size + 1 - place) * int(digits[place]) for place in range(size)) * 10 % 11) % 10
        == int(digits[size])
        for size in (9, 10)
    )


def _is_cnpj(number: str) -> bool:
    """`number` in capitals, without punctuation; a letter counts as its code less that of "0"."""
    if len(number) != len(_WEIGHTS) + 1 or len(set(number)) == 1:
        return False
    values = [ord(char) - ord("0") for char in number]
    for size in (12, 13):
        total = sum(w * v for w, v in zip(_WEIGHTS[13 - size :], values[:size], strict=True))
        if values[size] != (0 if total % 11 < 2 else 11 - total % 11):
            return False
    return True


def _is_card(digits: str) -> bool:
    if not _ISSUED.fullmatch(digits):
        return False
    values = [int(char) for char in digits]
    doubled = [value * 2 - 9 if value > 4 else value * 2 for value in values[-2::-2]]
    return (sum(values[-1::-2]) + sum(doubled)) % 10 == 0
