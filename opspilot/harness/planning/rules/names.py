"""Which names of the vocabulary stand in a request: whole, exact, in any case, with or without accents.

A name that is almost one is none, a pattern is none, and no word stands for all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from opspilot.harness.planning.rules import words
from opspilot.harness.planning.rules.text import Kind, Token, words_of


@dataclass(frozen=True, slots=True)
class Found:
    """`at` and `end` are places among the tokens that were looked at."""

    name: str
    at: int
    end: int


def find(tokens: Sequence[Token], names: Collection[str]) -> list[Found]:
    """In the order in which they stand there; of two that begin alike, the longer."""
    by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for name in names:
        if spelt := words_of(name):
            by_first.setdefault(spelt[0], []).append((spelt, name))
    folded = [token.folded if token.is_name else "" for token in tokens]
    return list(_found(folded, by_first))


def _found(
    folded: Sequence[str], by_first: dict[str, list[tuple[tuple[str, ...], str]]]
) -> Iterator[Found]:
    at = 0
    while at < len(folded):
        spelt, name = max(
            (pair for pair in by_first.get(folded[at], ()) if _stands(folded, at, pair[0])),
            key=lambda pair: len(pair[0]),
            default=((), ""),
        )
        if spelt:
            yield Found(name, at, at + len(spelt))
        at += max(len(spelt), 1)


def _stands(folded: Sequence[str], at: int, spelt: tuple[str, ...]) -> bool:
    return tuple(folded[at : at + len(spelt)]) == spelt


def distinct(found: Collection[Found]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.name for one in found))


@dataclass(frozen=True, slots=True)
class Hosts:
    """`unclear`: some word speaks of a host that is not in the vocabulary, of all or of one of two."""

    names: tuple[str, ...] = ()
    unclear: bool = False


def hosts(tokens: Sequence[Token], known: Collection[str]) -> Hosts:
    found = find(tokens, known)
    kept = [one for one in found if not _is_excluded(tokens, one)]
    places = {one.at for one in found}
    beginnings = {name.partition("-")[0].casefold() for name in known if "-" in name}
    strange = any(
        _is_like_a_host(token.folded, beginnings)
        for at, token in enumerate(tokens)
        if token.is_name and at not in places
    )
    several = len(distinct(kept)) > 1 and _are_alternatives(tokens, kept)
    return Hosts(distinct(kept), unclear=strange or several or _all_of_them(tokens))


def _is_like_a_host(word: str, beginnings: Collection[str]) -> bool:
    """`srv-pag-99`, `srv-pag-*`, `srv-pag-02.example`: spelt as hosts are, and none of them."""
    return "-" in word and word.partition("-")[0] in beginnings


def _is_excluded(tokens: Sequence[Token], found: Found) -> bool:
    """`…, não no srv-pag-03`, `no srv-pag-03 não`, `leave srv-pag-03 alone`"""
    behind = tokens[found.end : found.end + 2]
    if behind and behind[0].is_word and behind[0].folded in words.APART:
        return len(behind) == 1 or behind[1].kind is Kind.MARK or behind[1].folded in words.CAUSES
    before = [token.folded for token in tokens[max(found.at - 4, 0) : found.at]]
    while before and before[-1] in words.PLACES | words.ARTICLES | words.OF | words.MACHINES:
        before.pop()
    return bool(before) and before[-1] in words.APART


def _are_alternatives(tokens: Sequence[Token], found: Sequence[Found]) -> bool:
    between = tokens[found[0].end : found[-1].at]
    return any(token.folded in words.OR for token in between)


def _all_of_them(tokens: Sequence[Token]) -> bool:
    """`all hosts`, `todos os servidores`, `ambos`"""
    for at, token in enumerate(tokens):
        if token.is_word and token.folded in words.ALL:
            near = {one.folded for one in tokens[at + 1 : at + 4]}
            if token.folded in {"ambos", "both"} or near & words.MACHINES:
                return True
    return False
