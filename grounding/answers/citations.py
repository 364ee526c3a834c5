"""What a drafted sentence rests on, checked against the chunks the asker was given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

MIN_QUOTE = 8

Refusal = Literal["unknown_chunk", "not_verbatim", "too_short"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """`at` is the quote's place in its chunk; without one, the first place it stands at.

    `rest` numbers the first and the last of the steps that follow it in its list and did not fit.
    """

    text: str
    chunk_id: int
    quote: str
    at: int | None = None
    rest: tuple[int, int] | None = None


def check(sentences: Iterable[Sentence], authorised: Mapping[int, str]) -> list[Sentence]:
    """Sentences whose quote stands in an authorised chunk; none left means abstention.

    It proves where the words come from, not that they are true or that they support the sentence.
    """
    kept: dict[tuple[int, str, int | None], Sentence] = {}
    for sentence in sentences:
        if refusal(sentence, authorised) is None:
            kept.setdefault((sentence.chunk_id, sentence.quote, sentence.at), sentence)
    return list(kept.values())


def refusal(sentence: Sentence, authorised: Mapping[int, str]) -> Refusal | None:
    if sentence.chunk_id not in authorised:
        return "unknown_chunk"
    if not is_long_enough(sentence.quote):
        return "too_short"
    return "not_verbatim" if place(sentence, authorised[sentence.chunk_id]) < 0 else None


def is_long_enough(quote: str) -> bool:
    return len("".join(quote.split())) >= MIN_QUOTE


def place(sentence: Sentence, text: str) -> int:
    """Where the quote begins in its chunk's text; -1 where it does not stand there."""
    if sentence.at is None:
        return text.find(sentence.quote)
    return sentence.at if text.startswith(sentence.quote, sentence.at) else -1
