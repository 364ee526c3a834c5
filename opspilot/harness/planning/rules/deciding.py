"""From a request to what is planned for it: what it wants, and the call that prepares exactly that.

What is unclear is asked back: a condition, two commands in one request, a negation without more, two
templates that fit. What asks for nothing to be done is looked up.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from opspilot.harness.planning.port import (
    FinalAnswer,
    Intent,
    PrepareIssue,
    PrepareTask,
    Vocabulary,
)
from opspilot.harness.planning.rules import (
    issues,
    moods,
    names,
    offers,
    outside,
    people,
    states,
    tasks,
    topics,
    verbs,
    words,
)
from opspilot.harness.planning.rules.moods import Command
from opspilot.harness.planning.rules.text import Reading, read

ACTION = "action"


@dataclass(frozen=True, slots=True)
class Decided:
    """`call` None: look it up, and answer. `understood`: what was said beside an `ask`.
    `looks_first`: the request names a procedure that it is to be done by."""

    intent: Intent
    call: PrepareIssue | PrepareTask | FinalAnswer | None = None
    understood: PrepareIssue | PrepareTask | None = None
    looks_first: bool = False


LOOK_UP = Decided("diagnosis")
UNCLEAR = Decided("change", FinalAnswer(ending="ask", missing=(ACTION,)))
HAND_OVER = FinalAnswer(ending="hand_over")
REFUSED = Decided("change", FinalAnswer(ending="refuse"))


def decide(request: str, vocabulary: Vocabulary) -> Decided:
    reading = read(request)
    aliases = [template.alias for template in vocabulary.templates]
    found = _joined(reading, moods.commands(reading, aliases), vocabulary)
    if people.are_needed(reading):
        return Decided("diagnosis" if _asks(reading, found) else "change", HAND_OVER)
    wanted = [one for one in found if not one.negated and one.group not in verbs.ASKING_FOR_WORDS]
    asked = [_Case(reading, one, found, vocabulary) for one in wanted]
    decided = [(case, what) for case in asked if (what := case.decided()) is not None]
    if not decided:
        return _without_command(reading, found, vocabulary)
    if all(what is REFUSED for _case, what in decided):
        return LOOK_UP if _asks_beside(reading, wanted) else REFUSED
    if len(_independent([case for case, _what in decided])) > 1:
        return UNCLEAR
    case, what = decided[0]
    return UNCLEAR if case.is_uncertain else what


def _joined(reading: Reading, found: Sequence[Command], vocabulary: Vocabulary) -> list[Command]:
    """`rode servico-acao e reinicie …` is one command: the verb says what the template is to do."""
    kept: list[Command] = []
    for command in found:
        if not kept or not _says_more(reading, kept[-1], command, vocabulary):
            kept.append(command)
    return kept


def _says_more(reading: Reading, before: Command, command: Command, vocabulary: Vocabulary) -> bool:
    if before.group != verbs.RUN or before.sentence != command.sentence:
        return False
    if before.negated or command.negated or command.told:
        return False
    span = reading.sentences[before.sentence].tokens[before.start : command.clause]
    named = names.distinct(names.find(span, [one.alias for one in vocabulary.templates]))
    does = {(offer.template.alias, offer.group) for offer in offers.offers(vocabulary)}
    return len(named) == 1 and (named[0], command.group) in does


def _without_command(reading: Reading, found: Sequence[Command], vocabulary: Vocabulary) -> Decided:
    asked = states.asked_for(reading, found, vocabulary)
    if asked is not None:
        return _of_task(asked)
    if outside.is_empty(reading):
        return Decided("diagnosis", UNCLEAR.call)
    forbids = any(one.negated and one.group not in verbs.ASKING_FOR_WORDS for one in found)
    return UNCLEAR if forbids and not _asks(reading, found) else LOOK_UP


def _asks(reading: Reading, found: Sequence[Command]) -> bool:
    wants_to_know = any(one.group in verbs.ASKING_FOR_WORDS and not one.negated for one in found)
    return wants_to_know or any(moods.is_question(sentence) for sentence in reading.sentences)


def _asks_beside(reading: Reading, wanted: Sequence[Command]) -> bool:
    """`quero apagar só os jobs mortos. qual parâmetro?` asks how, and nothing to be done."""
    places = {one.sentence for one in wanted}
    return any(
        moods.is_question(sentence)
        for number, sentence in enumerate(reading.sentences)
        if number not in places
    )


def _of_task(asked: tasks.Asked) -> Decided:
    if asked.missing:
        return Decided("change", FinalAnswer(ending="ask", missing=asked.missing), asked.task)
    return Decided("change", asked.task)


def _of_issue(asked: issues.Asked) -> Decided:
    if asked.missing:
        return Decided("change", FinalAnswer(ending="ask", missing=asked.missing), asked.issue)
    return Decided("change", asked.issue)


class _Case:
    """One command of a request, with the words that belong to it."""

    def __init__(
        self, reading: Reading, command: Command, all_: Sequence[Command], vocabulary: Vocabulary
    ) -> None:
        self.reading, self.command, self.vocabulary = reading, command, vocabulary
        self.sentence = reading.sentences[command.sentence]
        self.until = min(
            (
                other.clause
                for other in all_
                if other.sentence == command.sentence and other.clause > command.at
            ),
            default=len(self.sentence.tokens),
        )
        span = self.sentence.tokens[command.start : self.until]
        self.said = [token.folded for token in span if token.is_name]
        self.issue_at = issues.noun(reading, command) if command.group in _ISSUE_VERBS else None

    @property
    def is_uncertain(self) -> bool:
        if self.command.told:
            return True
        end = self.until if self.issue_at is None else self.issue_at
        return moods.is_conditional(self.sentence, until=end)

    def decided(self) -> Decided | None:
        """None: the verb says nothing here."""
        what = self._decided()
        is_complete = what is not None and not isinstance(what.call, FinalAnswer)
        return what if is_complete or not self.command.feasible else None

    def _decided(self) -> Decided | None:
        if self.issue_at is not None:
            return self._looking(
                _of_issue(issues.fill(self.reading, self.command, self.issue_at, self.vocabulary))
            )
        what = offers.said(self.reading, self.command, until=self.until)
        for group in self._groups():
            if offered := offers.fitting(what, group, self.vocabulary):
                return self._looking(_of_task(tasks.fill(what, offered, self.vocabulary)))
        if outside.wants_a_task(self.command, self.said):
            return _of_task(tasks.fill(what, [], self.vocabulary))
        if outside.is_loose(self.command, self.said):
            return UNCLEAR
        return REFUSED if self._is_outside() else None

    def _groups(self) -> list[str]:
        """What the verb may stand for: a light one for the noun behind it."""
        group = self.command.group
        if group in {verbs.RUN, verbs.GIVE}:
            pairs = itertools.pairwise(["", *self.said[:5]])
            nouns = [
                verbs.NOUNS[word]
                for before, word in pairs
                if word in verbs.NOUNS and before not in words.NEGATIONS
            ]
            return [*nouns[:1], group]
        if group == verbs.RAISE:
            return [verbs.DEPLOY] if tasks.names_a_value(self.said, self.vocabulary) else []
        if group in {verbs.PUT, verbs.OUT}:
            return [_direction(self.said) or group]
        return [group]

    def _is_outside(self) -> bool:
        groups = self._groups()
        if groups and groups[0] not in verbs.LIGHT and self.command.group in verbs.LIGHT:
            return True
        return outside.is_outside(self.command, self.said)

    def _looking(self, decided: Decided) -> Decided:
        if not isinstance(decided.call, FinalAnswer) and _follows_a_runbook(self.reading):
            return Decided(decided.intent, decided.call, looks_first=True)
        return decided


def _direction(said: Sequence[str]) -> str:
    """Into maintenance or out of it, by the word in front; "" where none says."""
    at = next((at for at, word in enumerate(said) if word in words.MAINTENANCE), 0)
    return _DIRECTIONS.get(said[at - 1], "") if at else ""


_DIRECTIONS = {"da": verbs.OUT, "from": verbs.OUT, "of": verbs.OUT} | dict.fromkeys(
    ("em", "in", "into", "to", "pra", "para"), verbs.PUT
)
_ISSUE_VERBS = frozenset({verbs.CREATE, verbs.RUN, verbs.RAISE, verbs.PUT})


def _follows_a_runbook(reading: Reading) -> bool:
    for sentence in reading.sentences:
        said = list(sentence.words())
        if words.RUNBOOKS.isdisjoint(said):
            continue
        if not words.FOLLOWING.isdisjoint(said):
            return True
    return False


def _independent(cases: Sequence[_Case]) -> list[_Case]:
    """Without those inside what an issue is about, or that say more of the issue."""
    kept: list[_Case] = []
    for case in cases:
        if not any(_belongs(case, earlier) for earlier in kept):
            kept.append(case)
    return kept


def _belongs(case: _Case, earlier: _Case) -> bool:
    if earlier.issue_at is None:
        return False
    described = topics.described_at(case.reading)
    if described is not None and case.sentence.tokens[case.command.at].start > described:
        return True
    labels = case.command.group in {verbs.LABEL, verbs.GIVE, verbs.PUT, verbs.RUN}
    same = case.command.sentence == earlier.command.sentence
    tokens = case.sentence.tokens
    joined = case.command.clause and tokens[case.command.clause - 1].folded in {"e", "and", "then"}
    return labels or (same and not joined)
