"""Switches a document to its next version: text, postings and vectors in one transaction."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Max, Q
from django.utils import timezone

from audit.vocabulary import Result
from grounding.intake import holding, indexing, uploads
from grounding.models import Document, DocumentKind, Upload, UploadState, Version
from grounding.reading.analysis import Language
from grounding.reading.chunking import STANDARD, Piece
from grounding.retrieval.embedding import embedder


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a file holds, ready to be published."""

    kind: str  # of the original
    text: str
    findings: tuple[str, ...]
    title: str
    language: Language
    pieces: list[Piece]
    chunker: str = STANDARD.chunker
    space: str = ""  # of its vectors; "" is the configured one


def publish(upload: Upload, parsed: Parsed, vectors: Sequence[list[float]]) -> None:
    """One transaction: text, postings and vectors appear, the old version retires."""
    text_sha256 = text_hash(parsed.text)
    _one_text_at_a_time(text_sha256)
    if is_a_copy(upload, text_sha256=text_sha256):
        return
    document = _document(upload)
    if _is_overtaken(upload, document):
        return
    version = _version(upload, parsed, document, text_sha256)
    chunks = indexing.write(version, parsed.pieces, vectors, parsed.language)
    indexing.switch(version)
    _back_in_use(document)
    signs = {"findings": version.findings} if version.findings else {}
    holding.finish(upload, UploadState.APPROVED, version, {"chunks": chunks, **signs})
    uploads.record(
        upload,
        "conhecimento.publicado",
        Result.OK,
        saida_resumo=f"{version.title}, versão {version.number}, trechos: {chunks}",
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
    version = versions.latest("active", "number")
    holding.finish(upload, UploadState.SUPERSEDED, version, {"version": version.number})
    return True


def text_hash(text: str) -> str:
    """Of what was read: line ends, a byte order mark or a missing last line end change nothing."""
    return hashlib.sha256(text.rstrip("\n").encode()).hexdigest()


def is_a_copy(upload: Upload, *, text_sha256: str = "") -> bool:
    """Same bytes or same text, same collection, still active, under whatever name: nothing changes
    and the row says which document and version."""
    same = Q(sha256=upload.sha256)
    if text_sha256:
        same |= Q(text_sha256=text_sha256)
    mine = Version.objects.filter(
        same, active=True, document__collection_id=upload.collection_id
    ).select_related("document")
    version = mine.filter(document__name=upload.name).first() or mine.first()
    if version is None:
        return False
    one_at_a_time(version.document)
    version.refresh_from_db(fields=["active"])  # an older upload may have been publishing over it
    if version.active:
        which = {"version": version.number, "document": version.document.name}
        holding.finish(upload, UploadState.SAME, version, which)
    return version.active


def _document(upload: Upload) -> Document:
    """The document of this name, kept from others until the transaction ends. One that was deleted
    meanwhile stays deleted: the file is the first of another."""
    while True:
        document, _ = Document.objects.get_or_create(
            tenant_id=upload.tenant_id,
            collection_id=upload.collection_id,
            name=upload.name,
            deleted_at=None,
            defaults=_defaults(upload),
        )
        one_at_a_time(document)
        if Document.objects.filter(pk=document.pk, deleted_at=None).exists():
            return document


def _defaults(upload: Upload) -> dict[str, Any]:
    """What the collection gives a new document."""
    given = upload.collection
    days = given.default_review_days
    return {
        "dono": given.default_dono,
        "tipo": given.default_tipo or DocumentKind.OTHER,
        "review_by": timezone.localdate() + dt.timedelta(days=days) if days else None,
    }


def _back_in_use(document: Document) -> None:
    Document.objects.filter(pk=document.pk).update(
        data=timezone.localdate(), retired_at=None, retired_reason="", removal_asked_at=None
    )


def _version(upload: Upload, parsed: Parsed, document: Document, text_sha256: str) -> Version:
    last = Version.objects.filter(document=document).aggregate(last=Max("number"))["last"]
    return Version.objects.create(
        tenant_id=upload.tenant_id,
        document=document,
        number=(last or 0) + 1,
        title=parsed.title,
        text=parsed.text,
        kind=parsed.kind,
        sha256=upload.sha256,
        text_sha256=text_sha256,
        language=parsed.language,
        chunker=parsed.chunker,
        space=parsed.space or embedder().space,
        findings=list(parsed.findings),
        published_by=upload.uploaded_by,
    )


def one_at_a_time(document: Document) -> None:
    """Two uploads of one name are published one after the other, each with its own number."""
    _lock(4101, document.pk % 2**31)


def _one_text_at_a_time(sha256: str) -> None:
    """The same text given twice at once, under one name or two, is published once."""
    _lock(4102, int(sha256[:8], 16) - 2**31)


def _lock(kind: int, key: int) -> None:
    """Until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [kind, key])
