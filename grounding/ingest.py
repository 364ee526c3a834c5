"""The worker's half of an upload: decode → chunk → embed → switch text and vectors together."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

import structlog
from django.db import connection
from django.db.models import Max, QuerySet
from django.db.models.functions import Now

from audit.vocabulary import Result
from grounding import chunking, uploads
from grounding.analysis import Language, frequencies, language
from grounding.chunking import Piece
from grounding.decoding import Decoded, decode
from grounding.embedding import embed_passages, embedder
from grounding.errors import UnreadableFileError
from grounding.models import (
    SCHEMA_VERSION,
    Chunk,
    Document,
    Posting,
    Upload,
    UploadState,
    Vector,
    Version,
)
from opspilot import telemetry
from opspilot.connectors.errors import UnavailableError
from opspilot.tenancy import lease
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
MAX_ATTEMPTS = 3
EMBED_BATCH = 64
_MARKDOWN = (".md", ".markdown", ".mkd")


class LateIngestError(RuntimeError):
    """Another worker has taken the upload over; nothing is written."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a file holds, ready to be published."""

    decoded: Decoded
    title: str
    language: Language
    pieces: list[Piece]


def advance(*, tenant_id: UUID, upload_id: int) -> None:
    """Take one upload to its end. Reading and embedding run with no transaction open."""
    with tenant_scope(tenant_id):
        upload = _claim(upload_id)
    if upload is None:
        return
    with telemetry.span("ingestion"):
        try:
            _take_in(upload)
        except UnreadableFileError as exc:
            log.info("file refused", upload=upload_id, code=exc.code, detail=exc.detail)
            with tenant_scope(tenant_id):
                uploads.reject(upload, code=exc.code)
        except UnavailableError:
            log.warning("the embedder does not answer, the file waits", upload=upload_id)
            with tenant_scope(tenant_id):
                _postpone(upload)


def _take_in(upload: Upload) -> None:
    parsed = _parse(upload)
    with tenant_scope(upload.tenant_id):
        _renew(upload, state=UploadState.EXTRACTED)
    vectors = list(_vectors(upload, parsed))
    with tenant_scope(upload.tenant_id):
        _renew(upload)
        _publish(upload, parsed, vectors)


def _claim(upload_id: int) -> Upload | None:
    """Take the upload, answering at once what needs no reading: a copy, or one that keeps failing."""
    due = Upload.objects.filter(
        lease.free(),
        pk=upload_id,
        state__in=[UploadState.UPLOADED, UploadState.EXTRACTED],
        versao_esquema__lte=SCHEMA_VERSION,
    )
    upload = due.first()
    if upload is None:
        return None
    token = lease.take(due, seen=upload.claim_token, attempts=upload.attempts + 1)
    if token is None:
        return None
    upload.claim_token = token
    if upload.attempts >= MAX_ATTEMPTS:
        uploads.reject(upload, code=uploads.INTERRUPTED)
        return None
    return None if _is_a_copy(upload) else upload


def _is_a_copy(upload: Upload) -> bool:
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
    _one_at_a_time(version.document)
    version.refresh_from_db(fields=["active"])  # an older upload may have been publishing over it
    if not version.active:
        return False
    _finish(upload, UploadState.SAME, version, {"version": version.number})
    return True


def _parse(upload: Upload) -> Parsed:
    decoded = decode(bytes(upload.content or b""))
    title = chunking.document_title(decoded.text, upload.name)[:255]
    kind = "markdown" if upload.name.lower().endswith(_MARKDOWN) else "plain"
    pieces = chunking.split(decoded.text, title=title, kind=kind)  # type: ignore[arg-type]
    if not pieces:
        raise UnreadableFileError("empty")
    return Parsed(decoded, title, language(decoded.text), pieces)


def _vectors(upload: Upload, parsed: Parsed) -> Iterator[list[float]]:
    for batch in _batches(parsed.pieces):
        with tenant_scope(upload.tenant_id):
            _renew(upload)
        yield from embed_passages([piece.searched for piece in batch], parsed.language)


def _publish(upload: Upload, parsed: Parsed, vectors: Sequence[list[float]]) -> None:
    """One transaction: text, postings and vectors appear, the old version retires."""
    document, _ = Document.objects.get_or_create(
        tenant_id=upload.tenant_id, collection_id=upload.collection_id, name=upload.name
    )
    _one_at_a_time(document)
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
    _finish(upload, UploadState.APPROVED, version, {"chunks": len(chunks)})
    uploads.record(
        upload,
        "conhecimento.publicado",
        Result.OK,
        saida_resumo=f"{version.title}, versão {version.number}, {len(chunks)} trechos",
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
    _finish(upload, UploadState.SUPERSEDED, version, {"version": version.number})
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


def _finish(
    upload: Upload, state: UploadState, version: Version, detail: dict[str, object]
) -> None:
    written = _mine(upload).update(
        state=state,
        version_id=version.pk,
        detail=detail,
        content=None,
        finished_at=Now(),
        **lease.RELEASED,
    )
    if not written:
        raise LateIngestError(upload.pk)


def _renew(upload: Upload, **values: object) -> None:
    if not lease.renew(_mine(upload), **values):
        raise LateIngestError(upload.pk)


def _postpone(upload: Upload) -> None:
    """Nothing is wrong with the file: it waits for one lease, and the attempt does not count."""
    _mine(upload).update(claim_token=None, lease_until=lease.until(), attempts=upload.attempts)


def _mine(upload: Upload) -> QuerySet[Upload, Upload]:
    return Upload.objects.filter(pk=upload.pk, claim_token=upload.claim_token)


def _one_at_a_time(document: Document) -> None:
    """Two uploads of one name are published one after the other, each with its own number."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [4101, document.pk % 2**31])


def _batches(pieces: Sequence[Piece]) -> Iterator[Sequence[Piece]]:
    for first in range(0, len(pieces), EMBED_BATCH):
        yield pieces[first : first + EMBED_BATCH]
