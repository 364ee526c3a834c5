"""What production returns for a question, leg by leg, and why a document is not among it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from grounding.access.readable import Readable
from grounding.models import Document, Version
from grounding.retrieval import consult, coverage
from grounding.retrieval.consult import Legs, Query
from grounding.retrieval.coverage import Coverage
from grounding.retrieval.fusion import POOL, Scored
from grounding.retrieval.search import Source

Absence = Literal[
    "unknown", "deleted", "unpublished", "not_granted", "not_in_pool", "below", "found"
]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a leg has a passage; `rank` counts from 1."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Hit:
    source: Source
    score: float
    lexical: Place | None
    vector: Place | None


@dataclass(frozen=True, slots=True)
class Missing:
    """A document that was asked about. `rank` is its best place after joining, among documents."""

    name: str
    why: Absence
    rank: int | None = None
    lexical: int | None = None
    vector: int | None = None


@dataclass(frozen=True, slots=True)
class Look:
    hits: list[Hit]
    coverage: Coverage
    missing: Missing | None


def look(
    *,
    query: Query,
    readable: Sequence[Readable],
    about: str = "",
    known: Sequence[Readable] | None = None,
) -> Look:
    """With the functions, the limits and the scopes of a consult; `about` is a document's name or a
    part of it, looked for in the collections that are `known` to who asks: what they read themselves,
    where they try a role that reads less."""
    legs = consult.legs(query=query, collections=[one.id for one in readable])
    fused, texts = consult.rank(legs, limit=consult.TOP_K)
    sources = [texts[item.chunk_id] for item in fused if item.chunk_id in texts]
    level = coverage.assess(consult.signals(legs, fused, sources))
    lexical, vector = _places(legs.lexical), _places(legs.vector)
    hits = [
        Hit(texts[item.chunk_id], item.score, lexical.get(item.chunk_id), vector.get(item.chunk_id))
        for item in fused
        if item.chunk_id in texts
    ]
    document = _document(about, readable if known is None else known) if about else None
    missing = _missing(about, document, legs, fused, readable) if about else None
    return Look(hits, level, missing)


def _places(leg: Sequence[Scored]) -> dict[int, Place]:
    return {item.chunk_id: Place(rank, item.score) for rank, item in enumerate(leg, start=1)}


def _missing(
    about: str,
    document: Document | None,
    legs: Legs,
    fused: Sequence[Scored],
    readable: Sequence[Readable],
) -> Missing:
    if document is None:
        return Missing(about, "unknown")
    why = _outside(document, readable)
    if why is not None:
        return Missing(about if why == "not_granted" else document.name, why)
    order, _texts = consult.rank(legs, limit=2 * POOL, per_document=1)
    rank = _rank(order, document.pk)
    shown = any(item.document_id == document.pk for item in fused)
    return Missing(
        document.name,
        "found" if shown else "below" if rank else "not_in_pool",
        rank,
        _rank(legs.lexical, document.pk),
        _rank(legs.vector, document.pk),
    )


def _document(about: str, known: Sequence[Readable]) -> Document | None:
    """The one that stands, before one that was deleted under the same name."""
    mine = Document.objects.filter(collection_id__in=[one.id for one in known])
    found = mine.filter(name__icontains=about).order_by("-deleted_at", "name")
    standing = found.filter(deleted_at=None).first()
    return standing or found.first()


def _outside(document: Document, readable: Sequence[Readable]) -> Absence | None:
    if document.collection_id not in {one.id for one in readable}:
        return "not_granted"
    if document.deleted_at is not None:
        return "deleted"
    active = Version.objects.filter(document=document, active=True).exists()
    return None if active else "unpublished"


def _rank(ranked: Sequence[Scored], document: int) -> int | None:
    documents = list(dict.fromkeys(item.document_id for item in ranked))
    return documents.index(document) + 1 if document in documents else None
