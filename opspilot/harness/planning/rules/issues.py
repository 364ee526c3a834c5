"""What a command says of an issue: its project, its labels, who it is for, and what it is about."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from opspilot.harness.planning.port import PrepareIssue, Vocabulary
from opspilot.harness.planning.rules import names, topics, words
from opspilot.harness.planning.rules.moods import Command
from opspilot.harness.planning.rules.text import Reading, Token

_NEAR = 4


@dataclass(frozen=True, slots=True)
class Asked:
    """What was said of an issue. Nothing `missing`: it can be prepared."""

    issue: PrepareIssue
    missing: tuple[str, ...] = ()


def noun(reading: Reading, command: Command) -> int | None:
    """Where the word for an issue stands behind the verb, if the command is of one."""
    tokens = reading.sentences[command.sentence].tokens
    for at in range(command.at, min(command.at + _NEAR + 2, len(tokens))):
        if tokens[at].is_word and tokens[at].folded in words.ISSUES:
            return at
        if tokens[at].is_word and tokens[at].folded in topics.STRONG:
            return None
    return None


def fill(reading: Reading, command: Command, noun_at: int, vocabulary: Vocabulary) -> Asked:
    topic = topics.find(reading, command, noun_at, vocabulary)
    tokens = _tokens(reading)
    labels = _labels(tokens, vocabulary)
    assignees = _assignees(tokens, vocabulary.assignees)
    issue = PrepareIssue(
        alias=_alias(reading, command, topic, vocabulary),
        title=topic.title,
        description=topic.description,
        labels=labels or (),
        assignees=assignees or (),
    )
    unsaid = {
        "alias": not issue.alias,
        "title": not issue.title,
        "labels": labels is None,
        "assignees": assignees is None,
    }
    return Asked(issue, tuple(name for name, is_unsaid in unsaid.items() if is_unsaid))


def _tokens(reading: Reading) -> list[Token]:
    return [token for sentence in reading.sentences for token in sentence.tokens]


def _alias(reading: Reading, command: Command, topic: topics.Topic, vocabulary: Vocabulary) -> str:
    tokens = _tokens(reading)
    cues = [at for at, token in enumerate(tokens) if _is(token, topics.PROJECTS)]
    found = names.find(tokens, vocabulary.projects)
    beside = names.distinct([one for one in found if _is_beside(tokens, one, topics.PROJECTS)])
    if cues:
        return beside[0] if len(beside) == 1 else ""
    sentence = reading.sentences[command.sentence].tokens[command.start :]
    head = [token for token in sentence if token.start < topic.start]
    here = names.distinct(names.find(head, vocabulary.projects))
    if here:
        return here[0] if len(here) == 1 else ""
    return _at_the_end(sentence, vocabulary)


def _at_the_end(sentence: Sequence[Token], vocabulary: Vocabulary) -> str:
    """`… about the failing backups in infra`; not where the same word is also a label."""
    for one in names.find(sentence, set(vocabulary.projects) - set(vocabulary.labels)):
        if one.end == len(sentence) and _word(sentence, one.at - 1) in topics.IN:
            return one.name
    return ""


def _labels(tokens: Sequence[Token], vocabulary: Vocabulary) -> tuple[str, ...] | None:
    """None: a label is spoken of that does not exist."""
    found = names.find(tokens, vocabulary.labels)
    cues = [at for at, token in enumerate(tokens) if _is(token, topics.LABELS)]
    taken = {one.name for at in cues for one in _listed(tokens, found, at)}
    taken |= {one.name for one in found if "::" in one.name}
    taken |= _beside_a_label(tokens, found) - set(vocabulary.projects)
    without = any(_word(tokens, at - 1) in words.NEGATIONS | {"no"} for at in cues)
    return None if cues and not taken and not without else tuple(sorted(taken))


def _beside_a_label(tokens: Sequence[Token], found: Sequence[names.Found]) -> set[str]:
    """`incidente, prioridade::1`: in one list with what can be nothing but a label."""
    taken: set[str] = set()
    for one, other in itertools.pairwise(found):
        between = tokens[one.end].folded if other.at == one.end + 1 else ""
        if between in {",", "e", "and"} and "::" in one.name + other.name:
            taken |= {one.name, other.name}
    return taken


def _listed(
    tokens: Sequence[Token], found: Sequence[names.Found], cue: int
) -> Iterator[names.Found]:
    """The names behind the cue, or else the one in front of it."""
    starts = {one.at: one for one in found}
    at, any_behind = cue + 1, False
    while at < len(tokens):
        if at in starts:
            any_behind = True
            yield starts[at]
            at = starts[at].end
        elif _is(tokens[at], topics.BETWEEN) or tokens[at].folded in topics.SIGNS:
            at += 1
        else:
            break
    if not any_behind:
        yield from (one for one in found if one.end == cue)


def _assignees(tokens: Sequence[Token], known: Collection[str]) -> tuple[str, ...] | None:
    """None: somebody is to get it whom the policy does not name."""
    found = names.find(tokens, known)
    taken = {one.name for one in found if _is_given_to(tokens, one)}
    assigned = any(
        _is(token, topics.ASSIGNING) and not _is_nobodys(tokens, at)
        for at, token in enumerate(tokens)
    )
    return None if assigned and not taken else tuple(sorted(taken))


def _is_given_to(tokens: Sequence[Token], one: names.Found) -> bool:
    before = [token.folded for token in tokens[max(one.at - _NEAR, 0) : one.at]]
    if not (topics.ASSIGNING | topics.RESPONSIBLE).isdisjoint(before):
        return True
    while before and before[-1] in words.ARTICLES:
        before.pop()
    return bool(before) and before[-1] in topics.TO


def _is_nobodys(tokens: Sequence[Token], at: int) -> bool:
    """`nobody assigned yet`, `sem atribuir`"""
    near = {token.folded for token in tokens[max(at - 2, 0) : at + 2]}
    return not topics.NOBODY.isdisjoint(near)


def _is_beside(tokens: Sequence[Token], one: names.Found, cues: Collection[str]) -> bool:
    at = one.at - 1
    while at >= 0 and (tokens[at].folded in words.OF or tokens[at].folded in topics.SIGNS):
        at -= 1
    return _word(tokens, at) in cues or _word(tokens, one.end) in cues


def _is(token: Token, those: Collection[str]) -> bool:
    return token.is_word and token.folded in those


def _word(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].folded if 0 <= at < len(tokens) and tokens[at].is_word else ""
