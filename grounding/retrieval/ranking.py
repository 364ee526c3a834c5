"""From two legs to the passages that are shown: joined, then put in order by their own words.

Measured on the development questions: words tell more than vectors, and most where question and
runbook are both Portuguese: there the vectors have been through the translator twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from grounding.reading.analysis import QueryTerms, sequence, stored
from grounding.retrieval import fusion, search
from grounding.retrieval.fusion import Scored
from grounding.retrieval.search import Source

NEAR = 3  # words between two that count as neighbours
NEIGHBOURS = 2.0  # what a passage gains that has all of the question's neighbours as neighbours
WORDS = 1.5  # the lexical leg's weight; the vector leg's is 1
WORDS_IN_PORTUGUESE = 2.0  # where question and best passage are Portuguese


def rank(
    asked: QueryTerms,
    idf: Mapping[str, float],
    lexical: Sequence[Scored],
    vector: Sequence[Scored],
    *,
    limit: int,
    head: int,
    per_document: int = 2,
) -> tuple[list[Scored], dict[int, Source]]:
    """At most `limit` passages, the first `head` of them in the order of their words, with their
    texts."""
    fused = _joined(lexical, vector, limit, per_document, WORDS)
    texts = search.sources([item.chunk_id for item in fused[:head]])
    if all_portuguese(asked, texts.get(fused[0].chunk_id) if fused else None):
        fused = _joined(lexical, vector, limit, per_document, WORDS_IN_PORTUGUESE)
        texts = search.sources([item.chunk_id for item in fused[:head]])
    first = [_with_neighbours(item, asked, idf, texts) for item in fused[:head]]
    return sorted(first, key=lambda item: (-item.score, item.chunk_id)) + fused[head:], texts


def _joined(
    lexical: Sequence[Scored],
    vector: Sequence[Scored],
    limit: int,
    per_document: int,
    weight: float,
) -> list[Scored]:
    return fusion.fuse(
        lexical, vector, limit=limit, per_document=per_document, lexical_weight=weight
    )


def all_portuguese(asked: QueryTerms, best: Source | None) -> bool:
    """The question, and the best passage that was found for it."""
    return asked.language == "pt" and best is not None and best.language == "pt"


def _with_neighbours(
    item: Scored, asked: QueryTerms, idf: Mapping[str, float], texts: Mapping[int, Source]
) -> Scored:
    source = texts.get(item.chunk_id)
    if source is None:
        return item
    return replace(item, score=item.score + NEIGHBOURS * neighbour_share(asked, source, idf))


def neighbour_share(asked: QueryTerms, source: Source, idf: Mapping[str, float]) -> float:
    """Of the question in the passage's own language, where there is one."""
    kind = stored(source.language)
    words = asked.words if kind == asked.language else asked.english_words
    return neighbours(words, sequence(source.searched, kind), idf)


def neighbours(asked: Sequence[str], text: Sequence[str], idf: Mapping[str, float]) -> float:
    """The share, by IDF, of the question's pairs of neighbours that are neighbours in the text too,
    in either order: 0 to 1."""
    pairs = list(pairwise(asked))
    total = sum(idf.get(one, 0.0) + idf.get(other, 0.0) for one, other in pairs)
    if total <= 0:
        return 0.0
    wanted = frozenset(asked)
    places = [(place, word) for place, word in enumerate(text) if word in wanted]
    near = {
        (word, other)
        for gap in range(1, NEAR + 1)
        for (place, word), (next_, other) in zip(places, places[gap:], strict=False)
        if next_ - place <= NEAR
    }
    return (
        sum(
            idf.get(one, 0.0) + idf.get(other, 0.0)
            for one, other in pairs
            if (one, other) in near or (other, one) in near
        )
        / total
    )
