"""The two legs over one tenant's active chunks, from the SQL files beside this module."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog
from django.db import ProgrammingError, transaction
from pgvector import Vector

from grounding.retrieval.filters import NONE, Filters
from grounding.retrieval.fusion import POOL, Scored
from opspilot import telemetry
from opspilot.tenancy import sql

FOLDER = Path(__file__).parent / "sql"
SCAN = {
    "hnsw.iterative_scan": "relaxed_order",
    "hnsw.ef_search": "800",
    "hnsw.max_scan_tuples": "100000",
}
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Source:
    """A chunk with its provenance, as the database has it."""

    chunk_id: int
    text: str
    searched: str
    heading_path: tuple[str, ...]
    start: int
    end: int
    sha256: str
    ordinal: int
    version_id: int
    version_number: int
    title: str
    language: str
    document_id: int
    document_ref: UUID
    collection_name: str
    collection_id: int
    collection_slug: str
    document_name: str
    owner: str
    kind: str
    day: dt.date
    chunker: str
    lead: str = ""  # with `tail`, what is repeated around a cut fence or table: shown, never quoted
    tail: str = ""


@dataclass(frozen=True, slots=True)
class Weights:
    """Per term: its idf, and in how many chunks it stands; `mean` is how many terms a chunk has."""

    idf: Mapping[str, float]
    chunks: Mapping[str, int]
    mean: float = 1.0


def lexical(
    *,
    terms: Sequence[str],
    collections: Sequence[int],
    filters: Filters = NONE,
    known: Weights | None = None,
) -> list[Scored]:
    """`known` are the weights of at least these terms, where somebody has asked for them already."""
    with telemetry.span("retrieval", leg="lexical"):
        given = known or weights(terms=terms, collections=collections, filters=filters)
        rows = _rows(
            "lexical",
            terms=list(terms),
            idf=[given.idf[term] for term in terms],
            mean=given.mean,
            limit=POOL,
            **_within(collections, filters),
        )
        return [Scored(*row) for row in rows]


def vector(
    *,
    embedding: Sequence[float],
    space: str,
    collections: Sequence[int],
    filters: Filters = NONE,
    limit: int = POOL,
    approximate: bool = False,
) -> list[Scored]:
    """Exact, unless the company has an approximate index of this space and it can be used as meant.
    No vector finds nothing."""
    if not embedding:
        return []
    with telemetry.span("retrieval", leg="vector"):
        rows = _rows(
            "near" if approximate and _scan_is_as_meant() else "vector",
            embedding=Vector(list(embedding)).to_text(),
            space=space,
            limit=limit,
            **_within(collections, filters),
        )
        return [Scored(*row) for row in rows]


def both(
    *,
    terms: Sequence[str],
    embedding: Sequence[float],
    space: str,
    collections: Sequence[int],
    filters: Filters = NONE,
) -> tuple[Weights, list[Scored], list[Scored]]:
    """What `weights`, `lexical` and the exact `vector` find, in one statement."""
    with telemetry.span("retrieval", leg="both"):
        rows = _rows(
            "hybrid",
            terms=list(terms),
            embedding=Vector(list(embedding)).to_text(),
            space=space,
            limit=POOL,
            **_within(collections, filters),
        )
    words = [row for row in rows if row[0] == 0]
    mean = words[0][5] if words else 1.0
    known = Weights({row[1]: row[4] for row in words}, {row[1]: row[3] for row in words}, mean)
    return known, _leg(rows, 1), _leg(rows, 2)


def _leg(rows: Sequence[tuple[Any, ...]], kind: int) -> list[Scored]:
    hits = (Scored(*row[2:5]) for row in rows if row[0] == kind)
    return sorted(hits, key=lambda one: (-one.score, one.chunk_id))


def _scan_is_as_meant() -> bool:
    """Set for this transaction, and read back: before it is loaded the extension would take a name it
    does not know without a word, and an older one refuses it."""
    try:
        with transaction.atomic():
            _rows("scan", names=list(SCAN), values=list(SCAN.values()))
            read = {row[0]: row[1] for row in _rows("scan_read", names=list(SCAN))}
    except ProgrammingError:
        read = {}
    if read != SCAN:
        log.error("the approximate search is not as it was set, the exact one answers", read=read)
    return read == SCAN


def weights(
    *, terms: Sequence[str], collections: Sequence[int], filters: Filters = NONE
) -> Weights:
    """How rare each term is inside the allowed collections, among what the filters leave."""
    rows = _rows("weights", terms=list(terms), **_within(collections, filters))
    mean = rows[0][3] if rows else 1.0
    return Weights({row[0]: row[1] for row in rows}, {row[0]: row[2] for row in rows}, mean)


def siblings(*, version_id: int, limit: int) -> list[int]:
    """Ids of the passages of one version, in the order of its text."""
    return [row[0] for row in _rows("siblings", version_id=version_id, limit=limit)]


def sources(chunk_ids: Sequence[int]) -> dict[int, Source]:
    """Text and provenance of these chunks, keyed by id; another tenant's are simply not there."""
    found = (_source(row) for row in _rows("passages", chunks=list(chunk_ids)))
    return {source.chunk_id: source for source in found}


def _within(collections: Sequence[int], filters: Filters) -> dict[str, Any]:
    """What narrows both legs and the weights, before any ranking and limit."""
    return {
        "collections": list(collections),
        "since": filters.since,
        "until": filters.until,
        "kind": filters.kind,
        "owner": filters.owner,
    }


def _source(row: Sequence[Any]) -> Source:
    path = json.loads(row[3]) if isinstance(row[3], str) else row[3]
    return Source(row[0], row[1], row[2], tuple(path), *row[4:])


def _rows(name: str, **parameters: Any) -> list[tuple[Any, ...]]:
    return sql.rows(FOLDER / f"{name}.sql", **parameters)
