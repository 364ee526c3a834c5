"""Which template does what a command asks for, and what of it was said: hosts and variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from opspilot.harness.planning.port import PrepareTask, Template, Variable, Vocabulary
from opspilot.harness.planning.rules import names, objects, verbs, words
from opspilot.harness.planning.rules.moods import Command
from opspilot.harness.planning.rules.text import Reading, Token, words_of

_ALIKE: Mapping[str, frozenset[str]] = {
    "manutencao": words.MAINTENANCE,
    "maintenance": words.MAINTENANCE,
    "servico": words.SERVICES,
    "service": words.SERVICES,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What was said of a task. Nothing `missing`: it can be prepared."""

    task: PrepareTask
    missing: tuple[str, ...] = ()


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
                if group := _meaning(value):
                    yield Offer(template, group, {variable: value})


def _groups(template: Template) -> set[str]:
    return {group for word in _pieces(template.alias) if (group := verbs.meaning(word))}


def _meaning(value: str) -> str:
    return verbs.meaning("".join(words_of(value)))


def _pieces(alias: str) -> list[str]:
    return [piece for word in words_of(alias) for piece in word.replace("_", "-").split("-")]


def fitting(what: Said, group: str, vocabulary: Vocabulary) -> list[Offer]:
    """By its alias where that is named, else by what it does; a light verb needs its noun."""
    named = set(names.distinct(names.find(what.span, [t.alias for t in vocabulary.templates])))
    found = [offer for offer in offers(vocabulary) if _does(offer, what, group)]
    if named:
        by_alias = [offer for offer in found if offer.template.alias in named]
        return by_alias or [
            Offer(template, group, _valued(template, what))
            for template in vocabulary.templates
            if template.alias in named
        ]
    return _by_hosts(found, what) if len(_aliases(found)) > 1 else found


def _valued(template: Template, what: Said) -> dict[str, str]:
    """The value that is asked for in other words: `rode servico-acao para reiniciar …`."""
    groups = {verbs.meaning(token.folded) for token in what.span if token.is_word} - {""}
    return {
        variable: value
        for variable, values in template.variables.items()
        for value in values
        if _meaning(value) in groups
    }


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


def _aliases(found: Sequence[Offer]) -> set[str]:
    return {offer.template.alias for offer in found}


def fill(what: Said, found: Sequence[Offer], vocabulary: Vocabulary) -> Asked:
    """From the fitting offers; several templates are never chosen from."""
    every = [host for template in vocabulary.templates for host in template.hosts]
    if len(_aliases(found)) != 1:
        where = _hosts(what, every)
        missing = ("template",) if where.names and not where.unclear else ("template", "limit")
        return Asked(PrepareTask(template="", limit=_certain(where)), missing)
    template = found[0].template
    where = _hosts(what, every)
    values, unsaid = _values(template, what, found, every)
    is_clear = _fits(where, template)
    task = PrepareTask(
        template=template.alias,
        limit=where.names if is_clear else (),
        variables=tuple(Variable(name=name, value=value) for name, value in values.items()),
    )
    return Asked(task, (*(() if is_clear else ("limit",)), *unsaid))


def _hosts(what: Said, every: Sequence[str]) -> names.Hosts:
    """Of the command, or else the only one that is spoken of."""
    here = names.hosts(what.span, every)
    if here.names or here.unclear:
        return here
    around = names.hosts(what.around, every)
    return around if len(around.names) == 1 else names.Hosts()


def _certain(where: names.Hosts) -> tuple[str, ...]:
    return () if where.unclear else where.names


def _fits(where: names.Hosts, template: Template) -> bool:
    known = bool(where.names) and set(where.names) <= set(template.hosts)
    return known and not where.unclear and len(where.names) <= template.max_hosts


def _values(
    template: Template, what: Said, found: Sequence[Offer], hosts: Sequence[str]
) -> tuple[dict[str, str], list[str]]:
    values: dict[str, str] = {}
    unsaid: list[str] = []
    for name, allowed in template.variables.items():
        given = {offer.given[name] for offer in found if name in offer.given}
        value = _one(given) or _value(template, name, allowed, what, hosts)
        if value:
            values[name] = value
        elif name in template.required:
            unsaid.append(name)
    return values, unsaid


def _value(
    template: Template, name: str, allowed: Sequence[str], what: Said, hosts: Sequence[str]
) -> str:
    if allowed:
        keyed = objects.keyed(what.around, name)
        if keyed in allowed:
            return keyed
        here = names.distinct(names.find(what.span, allowed))
        return _one(here or names.distinct(names.find(what.around, allowed)))
    if value := objects.keyed(what.around, name):
        return value
    free = [other for other in template.required if not template.variables.get(other)]
    if free != [name]:
        return ""
    return objects.name_of_service(what.span, what.around, hosts) or objects.name_of_service(
        what.elsewhere, what.around, hosts
    )


def _one(found: Sequence[str] | set[str]) -> str:
    """The only one; two are not chosen from."""
    return next(iter(found)) if len(found) == 1 else ""


def names_a_value(said: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Whether a value that a variable lists is named."""
    known = {
        words_of(value)
        for template in vocabulary.templates
        for values in template.variables.values()
        for value in values
        if not _meaning(value)
    }
    return any((word,) in known for word in said)
