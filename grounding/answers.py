"""Answers by extraction: the sentences of the retrieved chunks that best match the question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from grounding.analysis import QueryTerms, terms
from grounding.citations import Sentence
from grounding.excerpts import Excerpt, excerpts

MAX_SENTENCES = 4
_PASSAGES = 5
_EMBEDDED = 16
_RELATIVE_FLOOR = 0.6
_TERM_WEIGHT = 0.6
_RANK_WEIGHT = 0.8
_SAME = 0.8
_HEADINGS = 3

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrieved chunk, best first in the list it comes in; `start` is its place in the version."""

    chunk_id: int
    document_id: int
    start: int
    text: str
    heading_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Candidate:
    rank: int
    passage: Passage
    excerpt: Excerpt
    words: frozenset[str]
    overlap: float


def draft(
    question_terms: QueryTerms,
    question_vector: Sequence[float],
    candidates: Sequence[Passage],
    embed: Embed,
    *,
    weights: Mapping[str, float] | None = None,
) -> list[Sentence]:
    """Up to four verbatim excerpts in document order. `weights` is the IDF of the question's terms.

    It selects and never writes: each text is in its chunk, word for word.
    """
    found = _candidates(question_terms, candidates[:_PASSAGES], weights or {})
    found = sorted(found, key=lambda item: -item.overlap + item.rank * 0.05)[:_EMBEDDED]
    if not found:
        return []
    vectors = embed([_in_context(item) for item in found])
    scores = [
        _score(item, _dot(question_vector, vector))
        for item, vector in zip(found, vectors, strict=True)
    ]
    best = sorted(zip(scores, found, strict=True), key=lambda pair: -pair[0])
    return _in_document_order(_chosen(best), candidates)


def _candidates(
    question: QueryTerms, passages: Sequence[Passage], weights: Mapping[str, float]
) -> list[_Candidate]:
    asked = {term: weights.get(term, 1.0) for term in question.terms}
    total = sum(asked.values()) or 1.0
    found: list[_Candidate] = []
    for rank, passage in enumerate(passages):
        for excerpt in excerpts(passage.text):
            words = frozenset(terms(excerpt.text, languages=("pt", "en")))
            overlap = sum(weight for term, weight in asked.items() if term in words) / total
            found.append(_Candidate(rank, passage, excerpt, words, overlap))
    return found


def _in_context(item: _Candidate) -> str:
    return "\n".join([*item.passage.heading_path[-_HEADINGS:], item.excerpt.text])


def _score(item: _Candidate, cosine: float) -> float:
    return cosine + _TERM_WEIGHT * item.overlap - _RANK_WEIGHT * item.rank / _PASSAGES


def _chosen(best: Sequence[tuple[float, _Candidate]]) -> list[_Candidate]:
    floor = best[0][0] * _RELATIVE_FLOOR
    chosen: list[_Candidate] = []
    for score, item in best:
        if len(chosen) == MAX_SENTENCES or score < floor:
            break
        if not any(_repeats(item, other) for other in chosen):
            chosen.append(item)
    return chosen


def _repeats(item: _Candidate, other: _Candidate) -> bool:
    both = len(item.words & other.words)
    return both >= _SAME * max(1, min(len(item.words), len(other.words)))


def _in_document_order(chosen: Sequence[_Candidate], passages: Sequence[Passage]) -> list[Sentence]:
    documents = list(dict.fromkeys(passage.document_id for passage in passages))
    ordered = sorted(
        chosen,
        key=lambda item: (
            documents.index(item.passage.document_id),
            item.passage.start,
            item.excerpt.start,
        ),
    )
    return [
        Sentence(item.excerpt.text, item.passage.chunk_id, item.excerpt.quote) for item in ordered
    ]


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
