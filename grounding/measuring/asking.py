"""One labelled question through production's own functions, in each setting that is compared."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar
from uuid import UUID

from django.db import transaction

from grounding.measuring.judged import Judgement
from grounding.measuring.labelled import Labelled, Quote
from grounding.models import Chunk, Version
from grounding.reading.analysis import fold, terms
from grounding.retrieval import consult, coverage, embedding, fusion, search
from grounding.retrieval.consult import Legs, Query
from grounding.retrieval.fusion import Scored
from opspilot.tenancy.scope import tenant_scope

DEPTH = 20  # documents of a ranking
Returned = TypeVar("Returned")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Where the questions are asked. A document may have several names: the same text twice."""

    tenant_id: UUID
    collections: Sequence[int]
    names: Mapping[int, Sequence[str]]
    groups: Mapping[str, str] = field(default_factory=dict)  # passage → the document it is part of

    def documents(self, names: Collection[str]) -> list[int]:
        return [pk for pk, mine in self.names.items() if not set(names).isdisjoint(mine)]

    def with_their_groups(self, names: Collection[str]) -> set[str]:
        groups = {self.groups[name] for name in names if name in self.groups}
        return {*names, *(name for name, group in self.groups.items() if group in groups)}


@dataclass(slots=True)
class Asked:
    """`ranked` is names best first, `ms` without and `embedding_ms` with translator and model."""

    question: Labelled
    ranked: dict[str, list[str]] = field(default_factory=dict)
    ms: dict[str, float] = field(default_factory=dict)
    embedding_ms: dict[str, float] = field(default_factory=dict)
    judgements: list[Judgement] = field(default_factory=list)


def ask(question: Labelled, corpus: Corpus, *, depth: int = DEPTH) -> Asked:
    """The chosen setting alone: what a run file and a slice need."""
    asked = Asked(question)
    query, asked.embedding_ms["chosen"] = _timed(
        lambda: consult.prepare(question.text, tenant_id=corpus.tenant_id)
    )
    with tenant_scope(corpus.tenant_id):
        (_legs, fused), asked.ms["chosen"] = _timed(lambda: _chosen(query, corpus, depth))
    asked.ranked["chosen"] = _named(fused, corpus)
    return asked


def compare(question: Labelled, corpus: Corpus) -> Asked:
    """The chosen setting beside its references, and its coverage with and without what answers."""
    asked = Asked(question)
    query, asked.embedding_ms["chosen"] = _timed(
        lambda: consult.prepare(question.text, tenant_id=corpus.tenant_id)
    )
    plain, asked.embedding_ms["dense"] = _timed(
        lambda: embedding.embedder().embed_query(question.text)
    )
    typed = terms(question.text, languages=("pt", "en"))
    with tenant_scope(corpus.tenant_id):
        (legs, fused), asked.ms["chosen"] = _timed(lambda: _chosen(query, corpus, DEPTH))
        lexical, asked.ms["lexical"] = _timed(
            lambda: search.lexical(terms=typed, collections=corpus.collections)
        )
        dense, asked.ms["dense"] = _timed(
            lambda: search.vector(
                embedding=plain, space=query.space, collections=corpus.collections
            )
        )
        references = fusion.rrf(legs.lexical, legs.vector, limit=DEPTH, per_document=1)
        asked.ms["rrf"], asked.embedding_ms["rrf"] = (
            asked.ms["chosen"],
            asked.embedding_ms["chosen"],
        )
        asked.embedding_ms["lexical"] = 0.0
        asked.judgements = list(_judged(question, corpus, query, legs))
    asked.ranked = {
        "chosen": _named(fused, corpus),
        "lexical": _named(lexical, corpus),
        "dense": _named(dense, corpus),
        "rrf": _named(references, corpus),
    }
    return asked


def without_accents(question: Labelled) -> Labelled:
    """As people type in a hurry; capitals stay, since they carry names."""
    plain = "".join(c if fold(c) == c.lower() else _plain(c) for c in question.text)
    return replace(question, text=plain)


def _plain(character: str) -> str:
    bare = fold(character)
    return bare.upper() if character.isupper() else bare


def _chosen(query: Query, corpus: Corpus, depth: int) -> tuple[Legs, list[Scored]]:
    """As a consult does it, with one passage a document: the order of documents is the same."""
    legs = consult.legs(query=query, collections=corpus.collections)
    ranked, _texts = consult.rank(legs, limit=depth, per_document=1)
    return legs, ranked


def _judged(question: Labelled, corpus: Corpus, query: Query, legs: Legs) -> Iterator[Judgement]:
    gold = corpus.documents(question.grades)
    yield _judgement("", legs, gold, answerable=question.answerable)
    if not question.answerable:
        return
    if corpus.groups:
        with _without(gold):
            yield _judgement("passage", consult.legs(query=query, collections=corpus.collections))
    elif chunks := _quoted_chunks(question.quotes, corpus):
        yield _judgement("passage", _less(legs, chunks))
    with _without(corpus.documents(corpus.with_their_groups(question.grades))):
        yield _judgement("document", consult.legs(query=query, collections=corpus.collections))


def _judgement(
    removed: str, legs: Legs, gold: Sequence[int] = (), *, answerable: bool = False
) -> Judgement:
    fused, found = consult.rank(legs, limit=consult.TOP_K)
    sources = [found[item.chunk_id] for item in fused]
    signals = consult.signals(legs, fused, sources)
    first = list(dict.fromkeys(item.document_id for item in fused))[:5]
    cosines = [item.score for item in legs.vector[: consult.TOP_K]]
    return Judgement(
        removed=removed,
        answerable=answerable,
        signals=signals,
        coverage=coverage.assess(signals),
        found=not set(gold).isdisjoint(first),
        gap_probability=coverage.assess_by_gap(cosines).probability,
    )


@contextmanager
def _without(documents: Sequence[int]) -> Iterator[None]:
    """As if these had never been published; nothing of it stays."""
    with transaction.atomic():
        Version.objects.filter(document_id__in=documents).update(active=False)
        yield
        transaction.set_rollback(True)


def _quoted_chunks(quotes: Sequence[Quote], corpus: Corpus) -> set[int]:
    """The passages that hold a part of a label's words."""
    found: set[int] = set()
    for quote in quotes:
        versions = Version.objects.filter(
            document_id__in=corpus.documents([quote.name]), active=True
        )
        for version in versions:
            start = version.text.find(quote.text)
            if start >= 0:
                found |= set(_chunks_in(version, start, start + len(quote.text)))
    return found


def _chunks_in(version: Version, start: int, end: int) -> list[int]:
    mine = Chunk.objects.filter(version=version, start__lt=end, end__gt=start)
    return list(mine.values_list("pk", flat=True))


def _less(legs: Legs, chunks: Collection[int]) -> Legs:
    return replace(
        legs,
        lexical=[item for item in legs.lexical if item.chunk_id not in chunks],
        vector=[item for item in legs.vector if item.chunk_id not in chunks],
    )


def _named(ranked: Sequence[Scored], corpus: Corpus) -> list[str]:
    documents = dict.fromkeys(item.document_id for item in ranked)
    return list(dict.fromkeys(name for pk in documents for name in corpus.names.get(pk, ())))


def _timed(work: Callable[[], Returned]) -> tuple[Returned, float]:
    started = time.perf_counter()
    result = work()
    return result, (time.perf_counter() - started) * 1000
