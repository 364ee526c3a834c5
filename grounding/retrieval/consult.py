"""The grounding contract: a question and allowed collections in, ranked sources and coverage out.

`prepare` translates and embeds with no transaction open; `consult` runs inside one tenant scope.
Tenant and collections apply before ranking and limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypedDict
from uuid import UUID

from grounding.models import Fusion
from grounding.reading.analysis import QueryTerms, Question, reduce_pasted_log, terms
from grounding.retrieval import choice, coverage, embedding, fusion, ranking, search, spaces
from grounding.retrieval.coverage import Coverage
from grounding.retrieval.filters import NONE, Filters
from grounding.retrieval.fusion import Scored
from grounding.retrieval.search import Source, Weights
from opspilot import telemetry
from opspilot.tenancy.scope import tenant_scope

TOP_K = 8
WHOLE = 12  # passages of the best document, at most, that an answer may draw on


class Within(TypedDict):
    """What narrows a search, before any ranking."""

    collections: Sequence[int]
    filters: Filters


@dataclass(frozen=True, slots=True)
class Query:
    """A question made ready: its terms in both languages and its vector."""

    question: Question
    terms: QueryTerms
    vector: list[float]  # empty where nobody can embed in the space any more: words alone then
    space: str
    fusion: Fusion  # as the company had chosen when it was prepared
    approximate: bool = False


@dataclass(frozen=True, slots=True)
class Legs:
    """What each leg returned for a question, best first; `asked` has lost a log's common words."""

    asked: QueryTerms
    weights: Weights
    lexical: list[Scored]
    vector: list[Scored]
    fusion: Fusion  # by which they are joined


@dataclass(frozen=True, slots=True)
class Grounded:
    """What the asker may see that bears on the question, best first.

    `ranked` is what the search found, with the score of each by its id; `sources` has, where the
    question asks what to do, the passages beside the best one too.
    """

    sources: list[Source]
    coverage: Coverage
    idf: dict[str, float]
    ranked: list[Source] = field(default_factory=list)
    scores: dict[int, float] = field(default_factory=dict)


def prepare(text: str, *, tenant_id: UUID) -> Query:
    """Translate and embed, in the company's space. Holds no transaction meanwhile: this is the slow
    part."""
    with telemetry.span("retrieval", leg="prepare"):
        question = reduce_pasted_log(text)
        # The translator leaves English words as they are, so an undecided text is given to it.
        language = QueryTerms.of(question).language or "pt"
        prose = embedding.english(question.prose, language)
        with tenant_scope(tenant_id):
            standing, by = spaces.standing(), choice.in_force()
        embedder = spaces.embedder_of(standing.space)
        return Query(
            question=question,
            terms=QueryTerms.of(question, english=prose),
            vector=embedder.embed_query(question.dense(prose)) if embedder else [],
            space=standing.space,
            fusion=by,
            approximate=standing.approximate,
        )


def consult(
    *, query: Query, collections: Sequence[int], filters: Filters = NONE, limit: int = TOP_K
) -> Grounded:
    """Both legs, fused, with the coverage of what was found."""
    found = legs(query=query, collections=collections, filters=filters)
    fused, texts = rank(found, limit=limit)
    ranked = [texts[item.chunk_id] for item in fused if item.chunk_id in texts]
    level = coverage.assess(signals(found, fused, ranked))
    is_fact = found.asked.aim == "fact"
    return Grounded(
        sources=ranked if is_fact else with_the_rest_of_the_best(ranked),
        coverage=level,
        idf=dict(found.weights.idf),
        scores={item.chunk_id: item.score for item in fused if item.chunk_id in texts},
        ranked=ranked,
    )


def legs(*, query: Query, collections: Sequence[int], filters: Filters = NONE) -> Legs:
    """Both legs before they are joined: the laboratory and the evaluation look in here."""
    within: Within = {"collections": collections, "filters": filters}
    if query.vector and not query.approximate and not query.terms.log:
        known, lexical, vector = search.both(
            terms=query.terms.terms, embedding=query.vector, space=query.space, **within
        )
        return Legs(query.terms, known, lexical, vector, query.fusion)
    weights = search.weights(terms=query.terms.terms, **within)
    asked = query.terms.with_rarest_log_terms(weights.chunks)
    return Legs(
        asked=asked,
        weights=weights,
        lexical=search.lexical(terms=asked.terms, known=weights, **within),
        vector=search.vector(
            embedding=query.vector, space=query.space, approximate=query.approximate, **within
        ),
        fusion=query.fusion,
    )


def rank(
    found: Legs, *, limit: int, per_document: int = 2, by: Fusion | None = None
) -> tuple[list[Scored], dict[int, Source]]:
    """The passages best first, at most `limit`, with the texts of the first TOP_K. Joined as the
    company has chosen, unless another fusion is tried."""
    if (by or found.fusion) == Fusion.RANKS:
        fused = fusion.rrf(found.lexical, found.vector, limit=limit, per_document=per_document)
        return fused, search.sources([item.chunk_id for item in fused[:TOP_K]])
    return ranking.rank(
        found.asked,
        found.weights.idf,
        found.lexical,
        found.vector,
        limit=limit,
        head=min(limit, TOP_K),
        per_document=per_document,
    )


def with_the_rest_of_the_best(sources: list[Source]) -> list[Source]:
    """The best source's whole document first: what to do often stands beside what was found."""
    if not sources:
        return sources
    best, *others = sources
    ids = search.siblings(version_id=best.version_id, limit=WHOLE)
    found = search.sources([i for i in ids if i != best.chunk_id])
    beside = [found[i] for i in ids if i in found]
    rest = [source for source in others if source.version_id != best.version_id]
    return [best, *beside, *rest]


def signals(found: Legs, fused: Sequence[Scored], sources: Sequence[Source]) -> coverage.Signals:
    """What coverage is judged on; `sources` are the texts of `fused`, best first."""
    measured = coverage.measure(
        question=found.asked,
        weights=found.weights.idf,
        known=frozenset(term for term, chunks in found.weights.chunks.items() if chunks),
        lexical=found.lexical,
        vector=found.vector,
        fused=fused,
        chunk_terms={
            source.chunk_id: frozenset(terms(source.searched, languages=("pt", "en")))
            for source in sources[: coverage.BEST]
        },
        languages_differ=languages_differ(found.asked, sources),
    )
    portuguese = ranking.all_portuguese(found.asked, sources[0] if sources else None)
    return replace(measured, all_portuguese=portuguese)


def languages_differ(asked: QueryTerms, sources: Sequence[Source]) -> bool:
    """Never where the question's words do not tell: it then counts as in its best source's."""
    if asked.language is None or not sources:
        return False
    return sources[0].language != asked.language
