"""What stands before the verb of a clause: politeness, a wish, a negation, a word that asks."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from opspilot.harness.planning.rules import words
from opspilot.harness.planning.rules.text import Kind, Sentence

_LONGEST = 40  # words, in a head


@dataclass(frozen=True, slots=True)
class Head:
    """`clause`: where it begins, `at`: the first word after it. `joined`: the clause goes on after
    `e` or `and`. `requested`: of the one who is spoken to. `own`, `others`: whose act it is. `feasible`: asked is whether it can be done."""

    clause: int
    at: int
    joined: bool = False
    negated: bool = False
    wished: bool = False
    requested: bool = False
    asking: bool = False
    own: bool = False
    others: bool = False
    feasible: bool = False

    @property
    def is_wish(self) -> bool:
        return self.wished or self.requested


def heads(sentence: Sentence) -> Iterator[Head]:
    """Of each clause that does not begin inside the head of the one before."""
    reached = -1
    for clause in _clauses(sentence):
        if clause > reached:
            head = _of(sentence, clause)
            reached = head.at
            yield head


def _clauses(sentence: Sentence) -> Iterator[int]:
    yield 0
    for at, token in enumerate(sentence.tokens[:-1]):
        is_break = token.kind is Kind.MARK and token.folded in words.BREAKS
        if is_break or (token.is_word and token.folded in words.JOINS):
            yield at + 1


def _of(sentence: Sentence, clause: int) -> Head:
    before = sentence.tokens[clause - 1] if clause else None
    head = Head(clause, clause, joined=before is not None and before.is_word)
    while not head.asking and head.at < min(len(sentence.tokens), clause + _LONGEST):
        following = _further(sentence, head)
        if following is None:
            break
        head = following
    return head


def is_polite(sentence: Sentence) -> bool:
    said = list(sentence.words())
    pairs = itertools.pairwise(said)
    return not words.POLITE.isdisjoint(said) or any(pair in words.POLITE_PAIRS for pair in pairs)


def _further(sentence: Sentence, head: Head) -> Head | None:
    return next((found for reader in _READERS if (found := reader(sentence, head))), None)


def _word(sentence: Sentence, at: int) -> str:
    tokens = sentence.tokens
    return tokens[at].folded if at < len(tokens) and tokens[at].is_word else ""


def _pair(sentence: Sentence, head: Head) -> tuple[str, str]:
    return _word(sentence, head.at), _word(sentence, head.at + 1)


def _comma(sentence: Sentence, head: Head) -> Head | None:
    """`preciso, por favor, que …`"""
    is_comma = sentence.tokens[head.at].folded == ","
    return replace(head, at=head.at + 1) if is_comma and head.is_wish else None


def _negation(sentence: Sentence, head: Head) -> Head | None:
    word, following = _pair(sentence, head)
    width = 2 if (word, following) in {("do", "not"), ("no", "need")} else 1
    if width == 1 and word not in words.NEGATIONS:
        return None
    if _word(sentence, head.at + width) in words.TAKE_BACK:
        return replace(head, at=head.at + width + 1, wished=True)
    return replace(head, at=head.at + width, negated=True)


def _leisure(sentence: Sentence, head: Head) -> Head | None:
    """`se possível`, `quando der`, `if you could`."""
    word, following = _pair(sentence, head)
    if word not in words.CONDITIONS and (word, following) not in words.CONDITION_PAIRS:
        return None
    for at in range(head.at + 1, head.at + 4):
        if _word(sentence, at) in words.AT_LEISURE:
            return replace(head, at=at + 1, wished=True)
    return None


def _feasible(sentence: Sentence, head: Head) -> Head | None:
    if _pair(sentence, head) not in words.FEASIBLE:
        return None
    named = _word(sentence, head.at + 2) in {"voce", "vc", "vcs", "voces", "alguem"}
    is_request = named or is_polite(sentence)
    return replace(head, at=head.at + 2, requested=True, feasible=not is_request)


def _wish_pair(sentence: Sentence, head: Head) -> Head | None:
    found = _pair(sentence, head) in words.WISH_PAIRS
    return replace(head, at=head.at + 2, wished=True) if found else None


def _request(sentence: Sentence, head: Head) -> Head | None:
    word, following = _pair(sentence, head)
    if word in words.MODALS and following in words.ADDRESSED:
        return replace(head, at=head.at + 2, requested=True)
    return replace(head, at=head.at + 1, requested=True) if word in words.REQUESTS else None


def _question(sentence: Sentence, head: Head) -> Head | None:
    word, following = _pair(sentence, head)
    asks = word in words.ASKING or (word, following) in words.ASKING_PAIRS
    return replace(head, asking=True) if asks and not head.is_wish else None


def _subject(sentence: Sentence, head: Head) -> Head | None:
    word, following = _pair(sentence, head)
    if (word, following) == ("a", "gente"):
        return replace(head, at=head.at + 2, own=True)
    if word in words.OWN:
        return replace(head, at=head.at + 1, own=True)
    return replace(head, at=head.at + 1, others=True) if word in words.OTHERS else None


def _wish(sentence: Sentence, head: Head) -> Head | None:
    found = _word(sentence, head.at) in words.WISHES
    return replace(head, at=head.at + 1, wished=True) if found else None


def _filler(sentence: Sentence, head: Head) -> Head | None:
    word, following = _pair(sentence, head)
    is_link = word in words.LINKS or (word == "do" and following not in words.ARTICLES)
    is_filler = word in words.OPENING or (head.is_wish and is_link)
    return replace(head, at=head.at + 1) if is_filler else None


def _place(sentence: Sentence, head: Head) -> Head | None:
    """`no srv-pag-02 reinicie …`: a name with a number in it."""
    word, following = _pair(sentence, head)
    is_place = word in words.PLACES and "-" in following and following[-1:].isdecimal()
    return replace(head, at=head.at + 2) if is_place else None


_READERS: tuple[Callable[[Sentence, Head], Head | None], ...] = (
    _comma, _negation, _leisure, _feasible, _wish_pair, _request, _question, _subject, _wish,
    _filler, _place,
)  # fmt: skip
