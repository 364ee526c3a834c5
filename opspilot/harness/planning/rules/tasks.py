"""What was said of a task: the hosts and the variables of the one template that fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opspilot.harness.planning.port import PrepareTask, Template, Variable, Vocabulary
from opspilot.harness.planning.rules import names, objects
from opspilot.harness.planning.rules.offers import Offer, Said, aliases, is_negated, meaning
from opspilot.harness.planning.rules.text import Token, fold, words_of


@dataclass(frozen=True, slots=True)
class Asked:
    """What was said of a task. Nothing `missing`: it can be prepared."""

    task: PrepareTask
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Named:
    """What the vocabulary names, folded: none of `every` is ever the value of a variable that takes any
    text, and what is `passed` does not even stand beside one. The values that a variable lists are
    not among it: what is deployed may also be restarted."""

    every: frozenset[str]
    passed: frozenset[str]


def fill(what: Said, found: Sequence[Offer], vocabulary: Vocabulary) -> Asked:
    """From the fitting offers; several templates are never chosen from."""
    every = [host for template in vocabulary.templates for host in template.hosts]
    if len(aliases(found)) != 1:
        where = _hosts(what, every)
        missing = ("template",) if where.names and not where.unclear else ("template", "limit")
        return Asked(PrepareTask(template="", limit=_certain(where)), missing)
    template = found[0].template
    where = _hosts(what, every)
    values, unsaid = _values(template, what, found, _named(vocabulary))
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
    template: Template, what: Said, found: Sequence[Offer], named: Named
) -> tuple[dict[str, str], list[str]]:
    values: dict[str, str] = {}
    unsaid: list[str] = []
    for name, allowed in template.variables.items():
        given = {offer.given[name] for offer in found if name in offer.given}
        value = _one(given) or _value(template, name, allowed, what, named)
        if value and len({meaning(one) for one in given}) < 2:
            values[name] = value
        elif name in template.required:
            unsaid.append(name)
    return values, unsaid


def _value(template: Template, name: str, allowed: Sequence[str], what: Said, named: Named) -> str:
    if allowed:
        keyed = objects.keyed(what.around, name)
        if keyed in allowed:
            return keyed
        return _one(_wanted(what.span, allowed) or _wanted(what.around, allowed))
    value = objects.keyed(what.around, name)
    free = [other for other in template.required if not template.variables.get(other)]
    if not value and free == [name]:
        passed = named.passed
        value = objects.name_of_service(what.span, what.around, passed)
        value = value or objects.name_of_service(what.elsewhere, what.around, passed)
    return "" if fold(value) in named.every else value


def _wanted(tokens: Sequence[Token], allowed: Sequence[str]) -> tuple[str, ...]:
    found = names.find(tokens, allowed)
    return names.distinct([one for one in found if not is_negated(tokens, one.at)])


def _named(vocabulary: Vocabulary) -> Named:
    passed = [one.alias for one in vocabulary.templates]
    passed += [name for one in vocabulary.templates for name in (*one.hosts, *one.variables)]
    said = (*vocabulary.projects, *vocabulary.labels, *vocabulary.assignees)
    folded = frozenset(map(fold, passed))
    return Named(folded | frozenset(map(fold, said)), folded)


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
        if not meaning(value)
    }
    return any((word,) in known for word in said)
