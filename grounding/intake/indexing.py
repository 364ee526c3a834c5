"""What makes a version findable: its passages, their postings and their vectors; and the switch to it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.models.functions import Now

from grounding.models import Chunk, Vector, Version
from grounding.reading.analysis import Language, frequencies
from grounding.reading.chunking import Piece

Counts = dict[str, int]  # how often each term stands in a piece

_TOGETHER = 100  # chunks whose postings one statement writes
_POSTINGS = (Path(__file__).parent / "sql" / "postings.sql").read_text()


def write(
    version: Version, pieces: Sequence[Piece], vectors: Sequence[list[float]], language: Language
) -> int:
    """How many passages it has now; nobody finds them before `switch`."""
    counts = [frequencies(piece.searched, language) for piece in pieces]
    chunks = Chunk.objects.bulk_create(_chunks(version, pieces, counts), batch_size=500)
    _write_postings(chunks, counts)
    write_vectors(chunks, vectors, space=version.space)
    return len(chunks)


def write_vectors(chunks: Sequence[Chunk], vectors: Sequence[list[float]], *, space: str) -> None:
    """One that is already there stays."""
    Vector.objects.bulk_create(
        (
            Vector(tenant_id=chunk.tenant_id, chunk=chunk, space=space, embedding=vector)
            for chunk, vector in zip(chunks, vectors, strict=True)
        ),
        batch_size=500,
        ignore_conflicts=True,
    )


def switch(version: Version) -> None:
    """The document's other version retires in the same transaction."""
    mine = Version.objects.filter(document_id=version.document_id)
    mine.filter(active=True).update(active=False, replaced_at=Now())
    mine.filter(pk=version.pk).update(active=True)


def _chunks(version: Version, pieces: Sequence[Piece], counts: list[Counts]) -> Iterator[Chunk]:
    for piece, count in zip(pieces, counts, strict=True):
        yield Chunk(
            tenant_id=version.tenant_id,
            version=version,
            ordinal=piece.ordinal,
            heading_path=list(piece.heading_path),
            text=piece.text,
            searched=piece.searched,
            start=piece.start,
            end=piece.end,
            sha256=hashlib.sha256(piece.text.encode()).hexdigest(),
            lead=piece.lead,
            tail=piece.tail,
            length=sum(count.values()),
        )


def _write_postings(chunks: list[Chunk], counts: list[Counts]) -> None:
    with connection.cursor() as cursor:
        for first in range(0, len(chunks), _TOGETHER):
            some = zip(chunks[first:], counts[first : first + _TOGETHER], strict=False)
            rows = [(chunk.pk, term, n) for chunk, count in some for term, n in count.items()]
            values: dict[str, Any] = {
                "tenant_id": chunks[first].tenant_id,
                "chunks": [row[0] for row in rows],
                "terms": [row[1] for row in rows],
                "counts": [row[2] for row in rows],
            }
            cursor.execute(_POSTINGS, values)
