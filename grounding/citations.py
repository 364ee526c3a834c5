"""What a drafted sentence rests on, checked against the chunks the asker was given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

MIN_QUOTE = 8

Refusal = Literal["unknown_chunk", "not_verbatim", "too_short"]


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    chunk_id: int
    quote: str


def check(sentences: Iterable[Sentence], authorised: Mapping[int, str]) -> list[Sentence]:
    """Sentences whose quote stands in an authorised chunk; none left means abstention.

    It proves where the words come from, not that they are true or that they support the sentence.
    """
    kept: dict[tuple[int, str], Sentence] = {}
    for sentence in sentences:
        if refusal(sentence, authorised) is None:
            kept.setdefault((sentence.chunk_id, sentence.quote), sentence)
    return list(kept.values())


def refusal(sentence: Sentence, authorised: Mapping[int, str]) -> Refusal | None:
    if sentence.chunk_id not in authorised:
        return "unknown_chunk"
    if len("".join(sentence.quote.split())) < MIN_QUOTE:
        return "too_short"
    return None if sentence.quote in authorised[sentence.chunk_id] else "not_verbatim"
