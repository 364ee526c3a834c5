"""The two legs over one tenant's active chunks, from the SQL files beside this module."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from pgvector import Vector

from grounding.retrieval.fusion import POOL, Scored
from opspilot import telemetry
from opspilot.tenancy import sql

_SQL = Path(__file__).parent / "sql"


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


@dataclass(frozen=True, slots=True)
class Weights:
    """Per term: its idf, and in how many chunks it stands."""

    idf: Mapping[str, float]
    chunks: Mapping[str, int]


def lexical(*, terms: Sequence[str], collections: Sequence[int], limit: int = POOL) -> list[Scored]:
    with telemetry.span("retrieval", leg="lexical"):
        rows = _rows("lexical", terms=list(terms), collections=list(collections), limit=limit)
        return [Scored(*row) for row in rows]


def vector(
    *, embedding: Sequence[float], space: str, collections: Sequence[int], limit: int = POOL
) -> list[Scored]:
    with telemetry.span("retrieval", leg="vector"):
        rows = _rows(
            "vector",
            embedding=Vector(list(embedding)).to_text(),
            space=space,
            collections=list(collections),
            limit=limit,
        )
        return [Scored(*row) for row in rows]


def weights(*, terms: Sequence[str], collections: Sequence[int]) -> Weights:
    """How rare each term is inside the allowed collections."""
    rows = _rows("weights", terms=list(terms), collections=list(collections))
    return Weights({row[0]: row[1] for row in rows}, {row[0]: row[2] for row in rows})


def siblings(*, version_id: int, limit: int) -> list[int]:
    """Ids of the passages of one version, in the order of its text."""
    return [row[0] for row in _rows("siblings", version_id=version_id, limit=limit)]


def sources(chunk_ids: Sequence[int]) -> dict[int, Source]:
    """Text and provenance of these chunks, keyed by id; another tenant's are simply not there."""
    found = (_source(row) for row in _rows("passages", chunks=list(chunk_ids)))
    return {source.chunk_id: source for source in found}


def _source(row: Sequence[Any]) -> Source:
    path = json.loads(row[3]) if isinstance(row[3], str) else row[3]
    return Source(row[0], row[1], row[2], tuple(path), *row[4:])


def _rows(name: str, **parameters: Any) -> list[tuple[Any, ...]]:
    return sql.rows(_SQL / f"{name}.sql", **parameters)
