"""Which words of a request ask for something to be done, and in which mood they stand.

A verb asks for work where a clause begins with it (`reinicie …`, `restart …`), or behind a wish
(`preciso que …`, `could you …`). A question about doing, what was done, what somebody else wants and
what is quoted ask for nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from opspilot.harness.planning.rules import heads, verbs, words
from opspilot.harness.planning.rules.heads import Head
from opspilot.harness.planning.rules.text import Reading, Sentence, Token, fold

MOST = 12
_NEAR = 3
_REACH = 12  # words between `need` and `deployed`
_DONE_FOR_US = frozenset({verbs.RESTART, verbs.DEPLOY, verbs.PUT, verbs.OUT})
_INTO = {"em": verbs.PUT, "in": verbs.PUT, "into": verbs.PUT, "of": verbs.OUT}
_NEW = words.those("nova novo new")
_ONE = _NEW | words.those("um uma a an")
_NEEDS = words.those("precisa precisam needs need")


@dataclass(frozen=True, slots=True)
class Command:
    """Of one clause. `start` is where what is said of it begins, `at` where its verb stands;
    `clause` where the clause does. `told`: it is somebody else's wish.
    `feasible`: asked is whether it can be done, which asks for it where it is said completely."""

    group: str
    sentence: int
    clause: int
    at: int
    start: int
    negated: bool = False
    told: bool = False
    is_noun: bool = False
    feasible: bool = False


def commands(reading: Reading, aliases: Collection[str]) -> list[Command]:
    """The first of them, MOST at most: two are asked back anyway. A template's alias where a verb
    would stand asks for that template."""
    folded = {fold(alias) for alias in aliases}
    found = (
        command
        for number, sentence in enumerate(reading.sentences)
        for command in _of_sentence(sentence, number, folded)
    )
    return list(itertools.islice(found, MOST))


def is_question(sentence: Sentence) -> bool:
    """With a question mark, or with a word that only a question begins with."""
    return sentence.asked or any(head.asking for head in heads.heads(sentence))


def is_conditional(sentence: Sentence, *, until: int) -> bool:
    """Whether what is asked for depends on something that has not happened yet."""
    folded = [token.folded if token.is_word else "" for token in sentence.tokens[:until]]
    for at, word in enumerate(folded):
        pair = (word, folded[at + 1] if at + 1 < len(folded) else "")
        begins = word in words.CONDITIONS or pair in words.CONDITION_PAIRS
        if begins and not _is_at_leisure(folded, at) and not _asks_whether(folded, at):
            return True
    return False


def _is_at_leisure(folded: Sequence[str], at: int) -> bool:
    return not words.AT_LEISURE.isdisjoint(folded[at + 1 : at + 4])


def _asks_whether(folded: Sequence[str], at: int) -> bool:
    """`veja se …`, and `se` as a part of a verb."""
    if folded[at] not in {"se", "if", "quando", "when", "once"}:
        return False
    before = [word for word in folded[max(at - 3, 0) : at] if word]
    return any(verbs.group_of(word) in verbs.ASKING_FOR_WORDS for word in before) or (
        folded[at] == "se" and before[-1:] == ["que"]
    )


def _of_sentence(sentence: Sentence, number: int, aliases: Collection[str]) -> Iterator[Command]:
    mood = _Mood(sentence)
    found: list[Command] = []
    for head in heads.heads(sentence):
        mood.asks = mood.asks or head.asking
        command = _command(sentence, number, head, aliases) or _other(
            sentence, number, head, aliases
        )
        if command and _holds(mood, command, head):
            mood.works = mood.works or command.group != verbs.INFO
            found.append(command)
        if len(found) == MOST:
            break
    yield from found or _mentioned(sentence, number)


class _Mood:
    """What holds for a whole sentence, or for the clauses of it that were read so far."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.polite = heads.is_polite(sentence)
        self.about = next(
            (at for at, word in enumerate(sentence.tokens) if _is_about(word)), len(sentence.tokens)
        )
        self.asks = False
        self.works = False


def _is_about(token: Token) -> bool:
    return token.is_word and token.folded in words.ABOUT


def _command(
    sentence: Sentence, number: int, head: Head, aliases: Collection[str]
) -> Command | None:
    tokens = sentence.tokens
    if head.asking or head.at >= len(tokens) or not tokens[head.at].is_word:
        return None
    word, following = tokens[head.at].folded, _word(tokens, head.at + 1)
    phrase = verbs.PHRASES.get((word, following), "")
    group, noun = phrase or verbs.group_of(word), verbs.NOUNS.get(word, "")
    is_noun = bool(noun) and (not group or following in words.OF)
    group = noun if is_noun else group
    if (word in _NEW and following in words.ISSUES) or _wants_an_issue(sentence, head):
        group = verbs.CREATE
    if group == verbs.USE:
        near = _folded(tokens, head.at + 1, head.at + 2 + _NEAR)
        group = verbs.RUN if any(one in aliases for one in near) else ""
    if group == verbs.RUN and following == "of":  # `the use of …`, `a run of …`
        group = ""
    if not group:
        return None
    return Command(
        group=group,
        sentence=number,
        clause=head.clause,
        at=head.at,
        start=head.at + (2 if phrase else 1),
        negated=head.negated,
        told=head.others,
        is_noun=is_noun,
        feasible=head.feasible,
    )


def _wants_an_issue(sentence: Sentence, head: Head) -> bool:
    """`preciso de um chamado …`, and not `preciso do chamado 12`."""
    is_new = _word(sentence.tokens, head.at - 1) in _ONE if head.at else False
    return head.is_wish and is_new and _word(sentence.tokens, head.at) in words.ISSUES


def _other(sentence: Sentence, number: int, head: Head, aliases: Collection[str]) -> Command | None:
    """A template's alias, or what is wished to be done."""
    if head.asking:
        return None
    if _word(sentence.tokens, head.at) in aliases:
        return Command(
            verbs.RUN, number, head.clause, head.at, head.at, head.negated, head.others,
            is_noun=True, feasible=head.feasible,
        )  # fmt: skip
    return _done(sentence, number, head) if head.is_wish else None


def _done(sentence: Sentence, number: int, head: Head) -> Command | None:
    """`I need portal-assinante deployed to …`, `need srv-pag-02 in maintenance`"""
    for at in range(head.at, min(head.at + _REACH, len(sentence.tokens))):
        group = verbs.DONE.get(_word(sentence.tokens, at), "")
        if _word(sentence.tokens, at) in words.MAINTENANCE:
            group = _INTO.get(_word(sentence.tokens, at - 1), "")
        if group in _DONE_FOR_US:
            return Command(group, number, head.clause, at, head.at, head.negated, head.others)
    return None


def _mentioned(sentence: Sentence, number: int) -> Iterator[Command]:
    """`o serviço precisa ser reiniciado`, and what somebody else asked for."""
    tokens = sentence.tokens
    if sentence.asked or is_question(sentence):
        return
    for at in range(len(tokens)):
        word = _word(tokens, at)
        if word in _NEEDS:
            negated = not words.NEGATIONS.isdisjoint(_folded(tokens, at - 2, at))
            group = _first(tokens, at, verbs.DONE | verbs.NOUNS)
            if group in _DONE_FOR_US:
                yield Command(group, number, 0, at, 0, negated)
                return
        elif word in words.TELLING and (group := _first(tokens, at, verbs.FORMS)):
            yield Command(group, number, 0, at, at + 1, told=True)
            return


def _first(tokens: Sequence[Token], at: int, meanings: Mapping[str, str]) -> str:
    near = (meanings.get(word, "") for word in _folded(tokens, at + 1, at + 5))
    return next((group for group in near if group not in verbs.ASKING_FOR_WORDS and group), "")


def _holds(mood: _Mood, command: Command, head: Head) -> bool:
    """Whether it asks for work where it stands."""
    if mood.sentence.asked and not (head.requested or mood.polite):
        return False
    word = mood.sentence.tokens[command.at].folded
    if mood.asks and not head.requested and not (verbs.is_plain_order(word) and not head.joined):
        return False
    if head.is_wish or command.negated:
        return True
    if head.own or head.others or _is_statement(mood, command):
        return False
    return _stands_alone(mood, command, head)


def _is_statement(mood: _Mood, command: Command) -> bool:
    """`o deploy falhou`, `restart did not help`, `troca de titularidade parada`."""
    tokens, at = mood.sentence.tokens, command.at
    word = tokens[at].folded
    if command.group in verbs.ASKING_FOR_WORDS:
        return False
    if command.is_noun:
        return not words.STATES.isdisjoint(_folded(tokens, at + 1, at + 3 * _REACH))
    if verbs.is_plain_order(word) and word not in verbs.ENGLISH:
        return False
    near = _NEAR + verbs.is_infinitive(word)
    if not words.STATES.isdisjoint(_folded(tokens, at + 1, at + 1 + near)):
        return True
    following = _word(tokens, at + 1)
    if word in verbs.THINGS:
        return not (_begins_an_object(following) or mood.polite)
    return word.endswith("a") and following in words.OF and command.group != verbs.VAGUE


def _begins_an_object(word: str) -> bool:
    known = words.ARTICLES | words.COUNTED | words.ISSUES | words.SERVICES
    return word in known or "-" in word


def _stands_alone(mood: _Mood, command: Command, head: Head) -> bool:
    """At the head of its clause, and not the second half of what a question or a report began."""
    tokens, word = mood.sentence.tokens, mood.sentence.tokens[command.at].folded
    if verbs.is_plain_order(word) and word not in verbs.ENGLISH:
        return True
    if mood.about < command.at:
        return False
    if head.clause and _word(tokens, command.at + 1) in words.JOINS | {""}:
        return False
    return not head.joined or mood.works


def _word(tokens: Sequence[Token], at: int) -> str:
    """ "" where there is none, and for what is not the requester's own."""
    return tokens[at].folded if at < len(tokens) and tokens[at].is_word else ""


def _folded(tokens: Sequence[Token], first: int, last: int) -> list[str]:
    return [token.folded for token in tokens[max(first, 0) : last] if token.is_word]
