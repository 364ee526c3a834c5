"""The name that a command is about, where the vocabulary has no list of them: a service on a host.

Taken as it was typed, and only where one word can be meant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from opspilot.harness.planning.rules import topics, verbs, words
from opspilot.harness.planning.rules.text import Token

_NO_NAME = (
    words.GENERIC | words.ARTICLES | words.FILLERS | words.OF | words.PLACES | words.JOINS
    | words.NEGATIONS | words.CALLED | words.SERVICES | words.STATES | words.CONDITIONS
    | words.MAINTENANCE | words.CAUSES | words.WISHES | words.LINKS | words.UP | words.TEMPLATES
    | words.ISSUES | topics.PROJECTS | topics.LABELS
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


def name_of_service(span: Sequence[Token], around: Sequence[Token], taken: Collection[str]) -> str:
    """ "" where none, several or more than one word could be it. `taken`: folded, what is
    passed over because it says where, or by which template."""
    found = _beside_the_word(span, taken)
    if not found and not any(token.folded in words.SERVICES for token in span):
        found = _objects(span, taken) or _beside_the_word(around, taken)
    texts = list(dict.fromkeys(token.text for token in found))
    return _as_written(texts[0], around) if len(texts) == 1 else ""


def _as_written(name: str, around: Sequence[Token]) -> str:
    """In capitals only where the rest is not shouted as well."""
    shouted = all(token.text == token.text.upper() for token in around if token.is_word)
    return name.lower() if shouted else name


def _may_be_name(token: Token, taken: Collection[str]) -> bool:
    plain = token.is_name and token.folded not in _NO_NAME and token.folded not in taken
    plain = plain and not token.folded[0].isdecimal()
    if not plain or _is_verb(token.folded):
        return False
    return not any(token.folded in those for those in (verbs.NOUNS, verbs.DONE, verbs.DOING))


def _is_verb(word: str) -> bool:
    """`reinicia` and `reiniciar` as well as `reinicie`; an English verb may be a name."""
    if verbs.is_plain_order(word) or verbs.FORMS.get(word) == verbs.RESTART:
        return True
    return word in verbs.INFINITIVES - verbs.ENGLISH


def _beside_the_word(tokens: Sequence[Token], taken: Collection[str]) -> list[Token]:
    """`serviço x`, `serviço de x`, `serviços x e y`, `the x service`"""
    for at, token in enumerate(tokens):
        if token.is_word and token.folded in words.SERVICES:
            behind = _behind(tokens, at + 1, taken)
            before = tokens[at - 1 : at] if at else []
            if behind or any(_may_be_name(one, taken) for one in before):
                return behind or list(before)
    return []


def _behind(tokens: Sequence[Token], at: int, taken: Collection[str]) -> list[Token]:
    while at < len(tokens) and (tokens[at].folded in _SKIPPED or not tokens[at].is_name):
        if tokens[at].folded in words.BREAKS - {":"}:
            return []
        at += 1
    found: list[Token] = []
    while at < len(tokens) and _may_be_name(tokens[at], taken):
        found.append(tokens[at])
        joined = at + 1 < len(tokens) and tokens[at + 1].folded in {"e", "and", ","}
        at += 2 if joined else 1
    return found


def _objects(span: Sequence[Token], taken: Collection[str]) -> list[Token]:
    """What stands right behind the verb, or behind the preposition of its noun: `restart of x`."""
    for phrase in _phrases(span, taken):
        named = [token for token in phrase if _may_be_name(token, taken)]
        if named:
            return named
    return []


def _phrases(span: Sequence[Token], taken: Collection[str]) -> Iterator[Phrase]:
    """Cut at prepositions of place, at signs and at names that are taken; `x de y` is one of two names."""
    phrase: Phrase = []
    for token in span:
        ends = token.folded in words.PLACES or token.folded in taken or not token.is_name
        ends = ends and token.folded != ","
        if ends and phrase:
            yield phrase
            phrase = []
        elif not ends:
            phrase.append(token)
    if phrase:
        yield phrase
