"""A question for the state of a service on a host: no document knows it, the template that looks does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opspilot.harness.planning.port import Vocabulary
from opspilot.harness.planning.rules import names, offers, tasks, verbs, words
from opspilot.harness.planning.rules.moods import Command
from opspilot.harness.planning.rules.text import Reading, Sentence

_WHAT = words.those("qual what whats")
_GIVING = verbs.ASKING_FOR_WORDS | {verbs.PUT, verbs.GIVE}  # `me passa o status`
_WHETHER = words.those("se if whether")
_WHY = words.those("porque pq why como how procedimento")


def asked_for(
    reading: Reading, found: Sequence[Command], vocabulary: Vocabulary
) -> tasks.Asked | None:
    """None where none is asked for, or where it is not said of which host."""
    offered = [one for one in offers.offers(vocabulary) if one.group == verbs.STATUS]
    if not offered:
        return None
    for command in _starts(reading, found):
        sentence = reading.sentences[command.sentence]
        what = offers.said(reading, command, until=len(sentence.tokens))
        asked = tasks.fill(what, offered, vocabulary)
        if names.find(sentence.tokens, [h for one in offered for h in one.template.hosts]):
            return None if sentence.asked and asked.missing else asked
    return None


def _starts(reading: Reading, found: Sequence[Command]) -> Iterator[Command]:
    for command in found:
        asks = command.group in _GIVING and not command.negated
        if asks and _speaks_of_state(reading.sentences[command.sentence], command.start):
            yield command
    for number, sentence in enumerate(reading.sentences):
        said = list(sentence.words())
        if said[:1] and said[0] in _WHAT and _speaks_of_state(sentence, 0):
            yield Command(verbs.STATUS, number, 0, 0, 1)


def _speaks_of_state(sentence: Sentence, start: int) -> bool:
    said = [token.folded for token in sentence.tokens[start:] if token.is_word]
    if not _WHY.isdisjoint(sentence.words()) or not words.RUNBOOKS.isdisjoint(said):
        return False
    named = any(verbs.NOUNS.get(word) == verbs.STATUS for word in said[:6])
    return named or (not _WHETHER.isdisjoint(said[:2]) and not words.UP.isdisjoint(said))
