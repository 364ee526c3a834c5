"""Which templates do what a command asks for, by their alias or by a value that a variable takes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from opspilot.harness.planning.port import Template, Vocabulary
from opspilot.harness.planning.rules import names, verbs, words
from opspilot.harness.planning.rules.moods import Command
from opspilot.harness.planning.rules.text import Reading, Token, words_of

_ALIKE: Mapping[str, frozenset[str]] = {
    "manutencao": words.MAINTENANCE,
    "maintenance": words.MAINTENANCE,
    "servico": words.SERVICES,
    "service": words.SERVICES,
}

# What is said of a template to have it run.
_RUNNING = frozenset(
    {verbs.RUN, verbs.GIVE, verbs.CREATE, verbs.PUT, verbs.RAISE, verbs.USE, "start", "send"}
)


@dataclass(frozen=True, slots=True)
class Offer:
    """A template does what a group of words says: by its alias, or by this value of a variable."""

    template: Template
    group: str
    given: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Said:
    """`span`: the words of the command; `around`: all that the requester wrote, for what the command
    itself leaves out; `elsewhere`: what stands behind another form of the same verb."""

    span: Sequence[Token]
    around: Sequence[Token]
    elsewhere: Sequence[Token] = ()


def said(reading: Reading, command: Command, *, until: int) -> Said:
    tokens = reading.sentences[command.sentence].tokens[command.start : until]
    around = [
        token
        for sentence in reading.sentences
        if not sentence.asked
        for token in sentence.tokens
        if token.is_name
    ]
    return Said(_before_the_cause(tokens), around, _elsewhere(reading, command))


def _elsewhere(reading: Reading, command: Command) -> Sequence[Token]:
    """`não consegui reiniciar o x, reinicia você`"""
    for number, sentence in enumerate(reading.sentences):
        for at, token in enumerate(sentence.tokens):
            is_other = number != command.sentence or at != command.at
            if is_other and token.is_word and verbs.any_group_of(token.folded) == command.group:
                return _until_a_break(sentence.tokens[at + 1 :])
    return ()


def _until_a_break(tokens: Sequence[Token]) -> Sequence[Token]:
    for at, token in enumerate(tokens):
        if token.folded in words.BREAKS:
            return tokens[:at]
    return tokens


def _before_the_cause(tokens: Sequence[Token]) -> Sequence[Token]:
    for at, token in enumerate(tokens):
        if token.is_word and token.folded in words.CAUSES:
            return tokens[:at]
    return tokens


def offers(vocabulary: Vocabulary) -> Iterator[Offer]:
    for template in vocabulary.templates:
        for group in _groups(template):
            yield Offer(template, group)
        for variable, values in template.variables.items():
            for value in values:
                if group := meaning(value):
                    yield Offer(template, group, {variable: value})


def _groups(template: Template) -> set[str]:
    return {group for word in _pieces(template.alias) if (group := verbs.meaning(word))}


def meaning(value: str) -> str:
    return verbs.meaning("".join(words_of(value)))


def _pieces(alias: str) -> list[str]:
    return [piece for word in words_of(alias) for piece in word.replace("_", "-").split("-")]


def fitting(what: Said, group: str, vocabulary: Vocabulary) -> list[Offer]:
    """By its alias where that is named, else by what it does; a light verb needs its noun."""
    named = set(names.distinct(names.find(what.span, [t.alias for t in vocabulary.templates])))
    found = [offer for offer in offers(vocabulary) if _does(offer, what, group)]
    if named:
        by_alias = [offer for offer in found if offer.template.alias in named]
        if not by_alias:
            return _by_name(named, what, group, found, vocabulary)
        return [*by_alias, *_valued_offers(named, what, group, vocabulary)]
    return _by_hosts(found, what) if len(aliases(found)) > 1 else found


def _by_name(
    named: Collection[str], what: Said, group: str, found: list[Offer], vocabulary: Vocabulary
) -> list[Offer]:
    """`rode servico-acao …`, and not `pare servico-acao`. Where the verb is another template's, both
    are offered, and so none is chosen."""
    if group not in _RUNNING and not found:
        return []
    offered = _valued_offers(named, what, group, vocabulary)
    return offered if group in _RUNNING else [*found, *offered]


def _valued_offers(
    named: Collection[str], what: Said, group: str, vocabulary: Vocabulary
) -> list[Offer]:
    return [
        Offer(template, group, given)
        for template in vocabulary.templates
        if template.alias in named
        for given in _valued(template, what)
    ]


def _valued(template: Template, what: Said) -> list[dict[str, str]]:
    """The values that are asked for in other words: `rode servico-acao para reiniciar …`."""
    groups = {
        verbs.meaning(token.folded)
        for at, token in enumerate(what.span)
        if token.is_word and not is_negated(what.span, at)
    } - {""}
    given = [
        {variable: value}
        for variable, values in template.variables.items()
        for value in values
        if meaning(value) in groups
    ]
    return given or [{}]


def _does(offer: Offer, what: Said, group: str) -> bool:
    if offer.group != group:
        return False
    said_words = {token.folded for token in what.span if token.is_name}
    needed = [piece for piece in _pieces(offer.template.alias) if piece in _ALIKE]
    if group in verbs.LIGHT:
        return bool(needed) and all(_ALIKE[piece] & said_words for piece in needed)
    return True


def _by_hosts(found: list[Offer], what: Said) -> list[Offer]:
    """Of several, those that may run where it was said to."""
    every = {host for offer in found for host in offer.template.hosts}
    where = set(names.distinct(names.find(what.span, every)))
    near = [offer for offer in found if where and where <= set(offer.template.hosts)]
    return near or found


def aliases(found: Sequence[Offer]) -> set[str]:
    return {offer.template.alias for offer in found}


def is_negated(tokens: Sequence[Token], at: int) -> bool:
    """`não faça restart`, `sem restart`"""
    before = {token.folded for token in tokens[max(at - 3, 0) : at]}
    return not words.NEGATIONS.isdisjoint(before)
