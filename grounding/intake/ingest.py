"""The worker's half of an upload: read → chunk → embed → switch text and vectors together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

import structlog
from django.db.models import F

from grounding.errors import UnreadableFileError
from grounding.formats.extracted import Extracted, Sign
from grounding.intake import (
    extraction,
    findings,
    holding,
    parsing,
    policies,
    publishing,
    quarantine,
    unpacking,
    uploads,
)
from grounding.intake.extraction import ReaderLostError
from grounding.intake.publishing import Parsed
from grounding.models import SCHEMA_VERSION, Upload, UploadState
from grounding.reading.analysis import language
from grounding.retrieval import spaces
from grounding.retrieval.embedding import embed_passages
from opspilot import telemetry
from opspilot.connectors.errors import UnavailableError
from opspilot.tenancy import lease
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
MAX_ATTEMPTS = 3
EMBED_BATCH = 16  # the claim is renewed between two: on a busy machine one takes ten seconds


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
                holding.postpone(upload)
        except ReaderLostError:
            log.warning("the reader was killed, the file is tried again", upload=upload_id)
            with tenant_scope(tenant_id):
                holding.give_back(upload)


def _take_in(upload: Upload) -> None:
    parsed = _parse(upload)
    if parsed is None:
        return
    vectors = list(_vectors(upload, parsed))
    with tenant_scope(upload.tenant_id):
        holding.renew(upload)
        publishing.publish(upload, parsed, vectors)


def _claim(upload_id: int) -> Upload | None:
    """Take the upload, answering at once what needs no reading: a copy, or one that keeps failing."""
    due = Upload.objects.filter(
        lease.free(),
        pk=upload_id,
        state__in=holding.OPEN,
        versao_esquema__lte=SCHEMA_VERSION,
    )
    upload = lease.claim(due, attempts=F("attempts") + 1)
    if upload is None:
        return None
    if upload.attempts >= MAX_ATTEMPTS:
        uploads.reject(upload, code=uploads.INTERRUPTED)
        return None
    return None if publishing.is_a_copy(upload) else upload


def _parse(upload: Upload) -> Parsed | None:
    """What is to be published; nothing of a zip, which becomes its files, or of what is kept back."""
    found = extraction.extract(bytes(upload.content or b""), upload.name)
    if found.kind == "zip":
        unpacking.unpack(upload)
        return None
    signs = findings.of(found)
    if findings.keeps_back(signs) and upload.review_seal != findings.seal(signs):
        with tenant_scope(upload.tenant_id):
            quarantine.hold(upload, signs)
        return None
    return _cut(upload, found, signs)


def _cut(upload: Upload, found: Extracted, signs: Sequence[Sign]) -> Parsed:
    with tenant_scope(upload.tenant_id):
        holding.renew(upload, state=UploadState.EXTRACTED)
        policy, asked = policies.in_force(upload.collection_id), spaces.standing().space
    title, pieces = parsing.parse(found.text, upload.name, markdown=found.markdown, policy=policy)
    if not pieces:
        raise UnreadableFileError("empty")
    return Parsed(
        kind=found.kind,
        text=found.text,
        findings=tuple(sign.written for sign in signs),
        title=title[:255],
        language=language(found.text),
        pieces=pieces,
        chunker=policy.chunker,
        space=spaces.writer(asked).space,
    )


def _vectors(upload: Upload, parsed: Parsed) -> Iterator[list[float]]:
    writer = spaces.writer(parsed.space)
    for first in range(0, len(parsed.pieces), EMBED_BATCH):
        batch = parsed.pieces[first : first + EMBED_BATCH]
        with tenant_scope(upload.tenant_id):
            holding.renew(upload, detail={"chunks": len(parsed.pieces), "done": first})
        texts = [piece.searched for piece in batch]
        yield from embed_passages(texts, parsed.language, using=writer)
