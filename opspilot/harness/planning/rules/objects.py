"""The name that a command is about, where the vocabulary has no list of them: a service on a host.

Taken as it was typed, and only where one word can be meant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from opspilot.harness.planning.rules import verbs, words
from opspilot.harness.planning.rules.text import Token

_NO_NAME = (
    words.GENERIC | words.ARTICLES | words.FILLERS | words.OF | words.PLACES | words.JOINS
    | words.NEGATIONS | words.CALLED | words.SERVICES | words.STATES | words.CONDITIONS
    | words.MAINTENANCE | words.CAUSES | words.WISHES | words.LINKS | words.UP
)  # fmt: skip
_SKIPPED = words.ARTICLES | words.OF | words.CALLED | words.FILLERS
Phrase = list[Token]


def keyed(tokens: Sequence[Token], name: str) -> str:
    """`server_name=x`, `server_name: x`, `server_name x`"""
    wanted = name.casefold()
    for at, token in enumerate(tokens):
        before, _sign, after = token.folded.partition("=")
        if before.rstrip(":") == wanted:
            return token.text[-len(after) :] if after else _next_text(tokens, at)
    return ""


def _next_text(tokens: Sequence[Token], at: int) -> str:
    return tokens[at + 1].text if at + 1 < len(tokens) and tokens[at + 1].is_name else ""


def name_of_service(span: Sequence[Token], around: Sequence[Token], hosts: Collection[str]) -> str:
    """ "" where none, several or more than one word could be it."""
    folded_hosts = {host.casefold() for host in hosts}
    found = _beside_the_word(span, folded_hosts)
    if not found and not any(token.folded in words.SERVICES for token in span):
        found = _objects(span, folded_hosts) or _beside_the_word(around, folded_hosts)
    texts = list(dict.fromkeys(token.text for token in found))
    return _as_written(texts[0], around) if len(texts) == 1 else ""


def _as_written(name: str, around: Sequence[Token]) -> str:
    """In capitals only where the rest is not shouted as well."""
    shouted = all(token.text == token.text.upper() for token in around if token.is_word)
    return name.lower() if shouted else name


def _may_be_name(token: Token, hosts: Collection[str]) -> bool:
    plain = token.is_name and token.folded not in _NO_NAME and token.folded not in hosts
    plain = plain and not token.folded[0].isdecimal()
    if not plain or verbs.is_plain_order(token.folded):
        return False
    return not any(token.folded in those for those in (verbs.NOUNS, verbs.DONE, verbs.DOING))


def _beside_the_word(tokens: Sequence[Token], hosts: Collection[str]) -> list[Token]:
    """`serviço x`, `serviço de x`, `serviços x e y`, `the x service`"""
    for at, token in enumerate(tokens):
        if token.is_word and token.folded in words.SERVICES:
            behind = _behind(tokens, at + 1, hosts)
            before = tokens[at - 1 : at] if at else []
            if behind or any(_may_be_name(one, hosts) for one in before):
                return behind or list(before)
    return []


def _behind(tokens: Sequence[Token], at: int, hosts: Collection[str]) -> list[Token]:
    while at < len(tokens) and (tokens[at].folded in _SKIPPED or not tokens[at].is_name):
        if tokens[at].folded in words.BREAKS - {":"}:
            return []
        at += 1
    found: list[Token] = []
    while at < len(tokens) and _may_be_name(tokens[at], hosts):
        found.append(tokens[at])
        joined = at + 1 < len(tokens) and tokens[at + 1].folded in {"e", "and", ","}
        at += 2 if joined else 1
    return found


def _objects(span: Sequence[Token], hosts: Collection[str]) -> list[Token]:
    """What stands right behind the verb, or behind the preposition of its noun: `restart of x`."""
    for phrase in _phrases(span, hosts):
        named = [token for token in phrase if _may_be_name(token, hosts)]
        if named:
            return named
    return []


def _phrases(span: Sequence[Token], hosts: Collection[str]) -> Iterator[Phrase]:
    """Cut at prepositions of place, at signs and at hosts; `x de y` is one of two names."""
    phrase: Phrase = []
    for token in span:
        ends = token.folded in words.PLACES or token.folded in hosts or not token.is_name
        ends = ends and token.folded != ","
        if ends and phrase:
            yield phrase
            phrase = []
        elif not ends:
            phrase.append(token)
    if phrase:
        yield phrase
