"""Switches a document to its next version: text, postings and vectors in one transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import Max
from django.db.models.functions import Now

from audit.vocabulary import Result
from grounding import chunking, holding, uploads
from grounding.analysis import Language, frequencies
from grounding.chunking import Piece
from grounding.decoding import Decoded
from grounding.embedding import embedder
from grounding.models import Chunk, Document, Posting, Upload, UploadState, Vector, Version


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a file holds, ready to be published."""

    decoded: Decoded
    title: str
    language: Language
    pieces: list[Piece]


def publish(upload: Upload, parsed: Parsed, vectors: Sequence[list[float]]) -> None:
    """One transaction: text, postings and vectors appear, the old version retires."""
    document, _ = Document.objects.get_or_create(
        tenant_id=upload.tenant_id, collection_id=upload.collection_id, name=upload.name
    )
    one_at_a_time(document)
    if _is_overtaken(upload, document):
        return
    version = _version(upload, parsed, document)
    chunks = Chunk.objects.bulk_create(_chunks(version, parsed), batch_size=500)
    Posting.objects.bulk_create(_postings(chunks, parsed.language), batch_size=5000)
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
    holding.finish(upload, UploadState.APPROVED, version, {"chunks": len(chunks)})
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


def _chunks(version: Version, parsed: Parsed) -> Iterator[Chunk]:
    for piece in parsed.pieces:
        counts = frequencies(piece.searched, parsed.language)
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
            length=sum(counts.values()),
        )


def _postings(chunks: Iterable[Chunk], kind: Language) -> Iterator[Posting]:
    for chunk in chunks:
        for term, count in frequencies(chunk.searched, kind).items():
            yield Posting(tenant_id=chunk.tenant_id, chunk=chunk, term=term, frequency=count)


def one_at_a_time(document: Document) -> None:
    """Two uploads of one name are published one after the other, each with its own number."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [4101, document.pk % 2**31])
