"""A request as words: where each sentence ends, and what in it is somebody else's text.

Quoted, pasted and forwarded text is marked here, once, so that no rule after this can take a command
from it. Each character is looked at a fixed number of times, whatever the text is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from opspilot.harness.planning.rules import pasted
from opspilot.presentation.normal_form import nfc

_INSIDE = frozenset("-_.:@/=*[]'\u2019")  # belong to a word between two of its letters
_AROUND = "-.:@='\u2019"
_APOSTROPHES = frozenset("'\u2019")
# Told from another word by nothing but their accent.
_ACCENTED = {"d\u00ea": "deem", "\u00e9": "eh", "p\u00e1ra": "pare"}
_ENDS = frozenset(".!?\n")


class Kind(Enum):
    WORD = "word"
    MARK = "mark"
    MENTION = "mention"  # one word in quotation marks: it may be a name, never a verb
    QUOTED = "quoted"


@dataclass(frozen=True, slots=True)
class Token:
    """`folded` is without case and accents; `start` and `end` are its place in the request."""

    text: str
    folded: str
    start: int
    end: int
    kind: Kind

    @property
    def is_word(self) -> bool:
        return self.kind is Kind.WORD

    @property
    def is_name(self) -> bool:
        return self.kind in {Kind.WORD, Kind.MENTION}


@dataclass(frozen=True, slots=True)
class Sentence:
    tokens: tuple[Token, ...]
    asked: bool

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end

    def words(self) -> Iterator[str]:
        """Only the requester's own."""
        return (token.folded for token in self.tokens if token.is_word)


@dataclass(frozen=True, slots=True)
class Reading:
    text: str
    sentences: tuple[Sentence, ...]

    @property
    def has_quotes(self) -> bool:
        return any(t.kind is Kind.QUOTED for sentence in self.sentences for t in sentence.tokens)


def fold(text: str) -> str:
    """`don't` is `dont`: many write it so."""
    bare = unicodedata.normalize("NFD", nfc(text.casefold()))
    return "".join(
        char for char in bare if char not in _APOSTROPHES and not unicodedata.combining(char)
    )


def read(text: str) -> Reading:
    return Reading(text, tuple(_sentences(text)))


def words_of(name: str) -> tuple[str, ...]:
    """A name of the vocabulary, as it would stand among the folded words of a request."""
    return tuple(fold(name[start:end]) for start, end in _pieces(name))


def _sentences(text: str) -> Iterator[Sentence]:
    gathered: list[Token] = []
    for token in _tokens(text):
        if token.kind is not Kind.MARK or token.folded not in _ENDS:
            gathered.append(token)
        elif gathered:
            yield Sentence(tuple(gathered), asked=token.folded == "?")
            gathered = []
    if gathered:
        yield Sentence(tuple(gathered), asked=False)


def _tokens(text: str) -> Iterator[Token]:
    spans = iter(pasted.spans(text))
    span = next(spans, None)
    for start, end in _pieces(text):
        while span is not None and span.end <= start:
            span = next(spans, None)
        inside = span is not None and span.start <= start
        kind = _kind(text[start:end], mention=inside and span is not None and span.is_one_word)
        if inside and kind is not Kind.MENTION and text[start] != "\n":
            kind = Kind.QUOTED
        if not (kind is Kind.QUOTED and span is not None and span.is_one_word):
            yield Token(text[start:end], _folded(text[start:end]), start, end, kind)


def _folded(piece: str) -> str:
    return _ACCENTED.get(piece.lower()) or fold(piece)


def _kind(piece: str, *, mention: bool) -> Kind:
    if not any(char.isalnum() for char in piece):
        return Kind.MARK
    return Kind.MENTION if mention else Kind.WORD


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Words, and each other sign alone; blanks are none."""
    at = 0
    while at < len(text):
        if text[at].isalnum():
            end = _end_of_word(text, at)
            yield at, end
            at = end
        else:
            if text[at] == "\n" or not text[at].isspace():
                yield at, at + 1
            at += 1


def _end_of_word(text: str, at: int) -> int:
    end = at
    while end < len(text) and _is_inside(text[end]):
        end += 1
    while end > at + 1 and text[end - 1] in _AROUND:
        end -= 1
    return end


def _is_inside(char: str) -> bool:
    return char.isalnum() or char in _INSIDE or unicodedata.combining(char) != 0
