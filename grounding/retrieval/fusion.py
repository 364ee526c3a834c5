"""Joins the lexical and the vector leg into one order, at most `per_document` chunks each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

POOL = 100
RRF_K = 60


@dataclass(frozen=True, slots=True)
class Scored:
    """A chunk with what one leg, or the two joined, gave it."""

    chunk_id: int
    document_id: int
    score: float


def fuse(
    lexical: Sequence[Scored],
    vector: Sequence[Scored],
    *,
    limit: int,
    per_document: int = 2,
    lexical_weight: float = 1.0,
) -> list[Scored]:
    """Sum of each leg's z-scores over its `POOL` best: it beat RRF on the development questions.

    Half of a chunk's score is its document's: the legs often hit two chunks of the right one.
    """
    legs = [_best(lexical), _best(vector)]
    owners = {item.chunk_id: item.document_id for leg in legs for item in leg}
    totals: dict[int, float] = defaultdict(float)
    for leg, weight in zip(legs, (lexical_weight, 1.0), strict=True):
        standardised = _standardised(leg, owners)
        best = _best_of_documents(standardised, owners)
        for chunk, score in standardised.items():
            totals[chunk] += weight * (score + best[owners[chunk]]) / 2
    return _ordered(totals, owners, limit=limit, per_document=per_document)


def rrf(
    lexical: Sequence[Scored], vector: Sequence[Scored], *, limit: int, per_document: int = 2
) -> list[Scored]:
    """Reciprocal rank fusion with k = 60, the named reference that `fuse` is measured against."""
    legs = [_best(lexical), _best(vector)]
    owners = {item.chunk_id: item.document_id for leg in legs for item in leg}
    totals: dict[int, float] = defaultdict(float)
    for leg in legs:
        for rank, item in enumerate(leg, start=1):
            totals[item.chunk_id] += 1 / (RRF_K + rank)
    return _ordered(totals, owners, limit=limit, per_document=per_document)


def _best(leg: Sequence[Scored]) -> list[Scored]:
    return sorted(leg, key=lambda item: (-item.score, item.chunk_id))[:POOL]


def _standardised(leg: Sequence[Scored], owners: Mapping[int, int]) -> dict[int, float]:
    """A z-score for every chunk of the pool; one that the leg did not return gets its minimum.

    A leg with fewer than `POOL` hits returned all it had, so what it lacks scores zero in it:
    otherwise the only match of a rare word would weigh nothing.
    """
    scores = {item.chunk_id: item.score for item in leg}
    if len(leg) < POOL:
        scores = {chunk: scores.get(chunk, 0.0) for chunk in owners}
    if not scores or (lowest := min(scores.values())) == max(scores.values()):
        return {}
    mean = fsum(scores.values()) / len(scores)
    spread = sqrt(fsum((score - mean) ** 2 for score in scores.values()) / len(scores))
    return {chunk: (scores.get(chunk, lowest) - mean) / spread for chunk in owners}


def _best_of_documents(scores: Mapping[int, float], owners: Mapping[int, int]) -> dict[int, float]:
    best: dict[int, float] = {}
    for chunk, score in scores.items():
        best[owners[chunk]] = max(score, best.get(owners[chunk], score))
    return best


def _ordered(
    totals: Mapping[int, float], owners: Mapping[int, int], *, limit: int, per_document: int
) -> list[Scored]:
    taken: Counter[int] = Counter()
    kept: list[Scored] = []
    for chunk in sorted(owners, key=lambda chunk: (-totals.get(chunk, 0.0), chunk)):
        if len(kept) == limit:
            break
        document = owners[chunk]
        if taken[document] < per_document:
            taken[document] += 1
            kept.append(Scored(chunk, document, totals.get(chunk, 0.0)))
    return kept
