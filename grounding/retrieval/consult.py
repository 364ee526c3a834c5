"""The grounding contract: a question and allowed collections in, ranked sources and coverage out.

`prepare` translates and embeds with no transaction open; `consult` runs inside one tenant scope.
Tenant and collections apply before ranking and limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grounding.reading.analysis import QueryTerms, Question, reduce_pasted_log, terms
from grounding.retrieval import coverage, embedding, fusion, search
from grounding.retrieval.coverage import Coverage
from grounding.retrieval.fusion import Fused, Scored
from grounding.retrieval.search import Source, Weights
from opspilot import telemetry

TOP_K = 8
WHOLE = 12  # passages of the best document, at most, that an answer may draw on


@dataclass(frozen=True, slots=True)
class Query:
    """A question made ready: its terms in both languages and its vector."""

    question: Question
    terms: QueryTerms
    vector: list[float]
    space: str


@dataclass(frozen=True, slots=True)
class Grounded:
    """What the asker may see that bears on the question, best first."""

    sources: list[Source]
    coverage: Coverage
    idf: dict[str, float]


def prepare(text: str) -> Query:
    """Translate and embed. Holds no transaction: this is the slow part."""
    with telemetry.span("retrieval", leg="prepare"):
        question = reduce_pasted_log(text)
        # The translator leaves English words as they are, so an undecided text is given to it.
        language = QueryTerms.of(question).language or "pt"
        prose = embedding.english(question.prose, language)
        embedder = embedding.embedder()
        return Query(
            question=question,
            terms=QueryTerms.of(question, english=prose),
            vector=embedder.embed_query(question.dense(prose)),
            space=embedder.space,
        )


def consult(*, query: Query, collections: Sequence[int], limit: int = TOP_K) -> Grounded:
    """Both legs, fused, with the coverage of what was found."""
    weights = search.weights(terms=query.terms.terms, collections=collections)
    asked = query.terms.with_rarest_log_terms(weights.chunks)
    lexical = search.lexical(terms=asked.terms, collections=collections)
    vector = search.vector(embedding=query.vector, space=query.space, collections=collections)
    fused = fusion.fuse(lexical, vector, limit=limit)
    found = search.sources([item.chunk_id for item in fused])
    sources = [found[item.chunk_id] for item in fused if item.chunk_id in found]
    level = _coverage(asked, weights, lexical, vector, fused, sources)
    if asked.aim != "fact":
        sources = _with_the_rest_of_the_best(sources)
    return Grounded(sources=sources, coverage=level, idf=dict(weights.idf))


def _with_the_rest_of_the_best(sources: list[Source]) -> list[Source]:
    """The best source's whole document first: what to do often stands beside what was found."""
    if not sources:
        return sources
    best, *others = sources
    ids = search.siblings(version_id=best.version_id, limit=WHOLE)
    found = search.sources([i for i in ids if i != best.chunk_id])
    beside = [found[i] for i in ids if i in found]
    rest = [source for source in others if source.version_id != best.version_id]
    return [best, *beside, *rest]


def _coverage(
    asked: QueryTerms,
    weights: Weights,
    lexical: Sequence[Scored],
    vector: Sequence[Scored],
    fused: Sequence[Fused],
    sources: Sequence[Source],
) -> Coverage:
    signals = coverage.measure(
        question=asked,
        weights=weights.idf,
        known=frozenset(term for term, chunks in weights.chunks.items() if chunks),
        lexical=lexical,
        vector=vector,
        fused=fused,
        chunk_terms={
            source.chunk_id: frozenset(terms(source.searched, languages=("pt", "en")))
            for source in sources[: coverage.BEST]
        },
        languages_differ=languages_differ(asked, sources),
    )
    return coverage.assess(signals)


def languages_differ(asked: QueryTerms, sources: Sequence[Source]) -> bool:
    """Never where the question's words do not tell: it then counts as in its best source's."""
    if asked.language is None or not sources:
        return False
    return sources[0].language != asked.language
