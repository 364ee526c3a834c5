"""Switches a document to its next version: text, postings and vectors in one transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.models import Max
from django.db.models.functions import Now

from audit.vocabulary import Result
from grounding.intake import holding, uploads
from grounding.intake.decoding import Decoded
from grounding.models import Chunk, Document, Upload, UploadState, Vector, Version
from grounding.reading import chunking
from grounding.reading.analysis import Language, frequencies
from grounding.reading.chunking import Piece
from grounding.retrieval.embedding import embedder

Counts = dict[str, int]  # how often each term stands in a piece

_POSTINGS = (Path(__file__).parent / "sql" / "postings.sql").read_text()


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a file holds, ready to be published."""

    decoded: Decoded
    title: str
    language: Language
    pieces: list[Piece]


def publish(upload: Upload, parsed: Parsed, vectors: Sequence[list[float]]) -> None:
    """One transaction: text, postings and vectors appear, the old version retires."""
    _one_text_at_a_time(upload.sha256)
    if is_a_copy(upload):
        return
    document, _ = Document.objects.get_or_create(
        tenant_id=upload.tenant_id, collection_id=upload.collection_id, name=upload.name
    )
    one_at_a_time(document)
    if _is_overtaken(upload, document):
        return
    version = _version(upload, parsed, document)
    counts = [frequencies(piece.searched, parsed.language) for piece in parsed.pieces]
    chunks = Chunk.objects.bulk_create(_chunks(version, parsed.pieces, counts), batch_size=500)
    _write_postings(chunks, counts)
    Vector.objects.bulk_create(
        (
            Vector(tenant_id=upload.tenant_id, chunk=chunk, space=version.space, embedding=vector)
            for chunk, vector in zip(chunks, vectors, strict=True)
        ),
        batch_size=500,
    )
    mine = Version.objects.filter(document=document)
    mine.filter(active=True).update(active=False, replaced_at=Now())
    mine.filter(pk=version.pk).update(active=True)
    signs = {"findings": version.findings} if version.findings else {}
    holding.finish(upload, UploadState.APPROVED, version, {"chunks": len(chunks), **signs})
    uploads.record(
        upload,
        "conhecimento.publicado",
        Result.OK,
        saida_resumo=f"{version.title}, versão {version.number}, trechos: {len(chunks)}",
        reversivel=True,
    )


def _is_overtaken(upload: Upload, document: Document) -> bool:
    """A later upload of this name already stands: a late retry must not bring older text back."""
    versions = Version.objects.filter(document=document)
    later = Upload.objects.filter(
        pk__gt=upload.pk,
        collection_id=upload.collection_id,
        name=upload.name,
        version_id__in=versions.values("pk"),
    )
    if not later.exists():
        return False
    version = versions.get(active=True)
    holding.finish(upload, UploadState.SUPERSEDED, version, {"version": version.number})
    return True


def is_a_copy(upload: Upload) -> bool:
    """Same bytes, same collection, still active: nothing changes and the row says which version."""
    version = (
        Version.objects.filter(
            active=True, sha256=upload.sha256, document__collection_id=upload.collection_id
        )
        .select_related("document")
        .first()
    )
    if version is None:
        return False
    one_at_a_time(version.document)
    version.refresh_from_db(fields=["active"])  # an older upload may have been publishing over it
    if version.active:
        holding.finish(upload, UploadState.SAME, version, {"version": version.number})
    return version.active


def _version(upload: Upload, parsed: Parsed, document: Document) -> Version:
    last = Version.objects.filter(document=document).aggregate(last=Max("number"))["last"]
    return Version.objects.create(
        tenant_id=upload.tenant_id,
        document=document,
        number=(last or 0) + 1,
        title=parsed.title,
        text=parsed.decoded.text,
        sha256=upload.sha256,
        language=parsed.language,
        chunker=chunking.CHUNKER,
        space=embedder().space,
        findings=list(parsed.decoded.findings),
        published_by=upload.uploaded_by,
    )


def _chunks(version: Version, pieces: list[Piece], counts: list[Counts]) -> Iterator[Chunk]:
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
            length=sum(count.values()),
        )


def _write_postings(chunks: list[Chunk], counts: list[Counts]) -> None:
    with connection.cursor() as cursor:
        for chunk, count in zip(chunks, counts, strict=True):
            values: dict[str, Any] = {"tenant_id": chunk.tenant_id, "chunk_id": chunk.pk}
            values |= {"terms": [*count], "counts": [*count.values()]}
            cursor.execute(_POSTINGS, values)


def one_at_a_time(document: Document) -> None:
    """Two uploads of one name are published one after the other, each with its own number."""
    _lock(4101, document.pk % 2**31)


def _one_text_at_a_time(sha256: str) -> None:
    """The same file given twice at once, under one name or two, is published once."""
    _lock(4102, int(sha256[:8], 16) - 2**31)


def _lock(kind: int, key: int) -> None:
    """Until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [kind, key])
