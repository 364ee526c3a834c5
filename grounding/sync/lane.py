"""The worker's half of a source: what is new or changed goes through the upload door, what is gone is
asked about or retired, and the page is told how it went."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

import structlog
from django.db.models import Case, QuerySet, When
from django.db.models.functions import Now

from audit import trail
from audit.vocabulary import Authorization, Result
from grounding.intake import uploads
from grounding.intake.uploads import File
from grounding.life import retiring
from grounding.models import Document, OnRemoval, SyncSource, Version
from grounding.sync import sources
from grounding.sync.errors import UnreadableSourceError
from grounding.sync.reading import Entry, Look
from opspilot.tenancy import lease
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
BY = "sincronização"
GONE = "o arquivo saiu da fonte da coleção"


class LateSyncError(RuntimeError):
    """Another worker has taken the source over, or an admin removed it; nothing more is written."""


@dataclass(slots=True)
class Found:
    """What a run saw: every name with its mark, and what it did."""

    revision: str = ""
    files: dict[str, str] = field(default_factory=dict)
    sent: int = 0
    links: int = 0
    held: int = 0  # files whose document was deleted by a person: not brought back
    removed: int = 0


def advance(*, tenant_id: UUID, source_id: int) -> None:
    """Read it if it is due. Reading runs with no transaction open."""
    with tenant_scope(tenant_id):
        source = _claim(source_id)
    if source is None:
        return
    try:
        found = _send_what_is_new(source)
    except UnreadableSourceError as exc:
        log.warning("a source could not be read", source=source_id, code=exc.code)
        with tenant_scope(tenant_id):
            _fail(source, exc.code)
        return
    with tenant_scope(tenant_id):
        _settle(source, found)


def _claim(source_id: int) -> SyncSource | None:
    due = SyncSource.objects.filter(lease.free(), pk=source_id, next_at__lte=Now())
    return lease.claim(due.select_related("collection"))


def _send_what_is_new(source: SyncSource) -> Found:
    with tenant_scope(source.tenant_id):
        look = sources.look(source)
        held = _held_back(source)
        by = _principal(source)
    found, batch = Found(look.revision), uuid.uuid4()
    for group in uploads.groups(_changed(source, look, found, held)):
        with tenant_scope(source.tenant_id):
            _renew(source)
            uploads.accept(principal=by, collection=source.collection, files=group, batch=batch)
    found.links = look.links
    if source.files and not found.files:
        raise UnreadableSourceError("vazia")
    return found


def _changed(source: SyncSource, look: Look, found: Found, held: set[str]) -> Iterator[File]:
    for entry in look.entries:
        found.files[entry.name] = entry.mark
        if source.files.get(entry.name) == entry.mark:
            continue
        if uploads.clean_name(entry.name) in held:
            found.held += 1
            continue
        found.sent += 1
        yield _file(entry)


def _file(entry: Entry) -> File:
    return File(entry.name, entry.size, entry.load())


def _held_back(source: SyncSource) -> set[str]:
    """Names whose document a person deleted: only a person brings them back."""
    mine = Document.objects.filter(collection_id=source.collection_id)
    living = set(mine.filter(deleted_at=None).values_list("name", flat=True))
    return set(mine.exclude(deleted_at=None).values_list("name", flat=True)) - living


def _settle(source: SyncSource, found: Found) -> None:
    before = source.code
    gone = sorted(source.files.keys() - found.files.keys())
    for document in _documents(source, gone):
        found.removed += _take_out(source, document)
    counts = {
        "files": len(found.files),
        "sent": found.sent,
        "removed": found.removed,
        "links": found.links,
        "held": found.held,
    }
    _close(
        source, files=found.files, revision=found.revision, counts=counts, code="", good_at=Now()
    )
    if found.sent or found.removed or before:
        _record(source, Result.OK, _told(found))


def _documents(source: SyncSource, names: list[str]) -> QuerySet[Document]:
    active = Version.objects.filter(active=True).values("document_id")
    return Document.objects.filter(
        pk__in=active,
        collection_id=source.collection_id,
        deleted_at=None,
        name__in=[uploads.clean_name(name) for name in names],
    )


def _take_out(source: SyncSource, document: Document) -> bool:
    if source.on_removal == OnRemoval.ASK:
        return retiring.ask_removal(document)
    return retiring.retire_for_source(document, words=GONE, by=BY)


def _fail(source: SyncSource, code: str) -> None:
    before = source.code
    _close(source, code=code)
    if before != code:  # once, not every few minutes
        _record(source, Result.ERRO, "", error=code)


def _close(source: SyncSource, **values: object) -> None:
    """One that was switched off meanwhile stays so."""
    pause = dt.timedelta(minutes=source.every_minutes)
    following = Case(When(next_at__isnull=False, then=Now() + pause), default=None)
    written = _mine(source).update(ran_at=Now(), next_at=following, **lease.RELEASED, **values)
    if not written:
        raise LateSyncError(source.pk)


def _renew(source: SyncSource) -> None:
    if not lease.renew(_mine(source)):
        raise LateSyncError(source.pk)


def _mine(source: SyncSource) -> QuerySet[SyncSource]:
    return SyncSource.objects.filter(pk=source.pk, claim_token=source.claim_token)


def _principal(source: SyncSource) -> Principal:
    name = Tenant.objects.get(pk=source.tenant_id).name
    return Principal(source.tenant_id, name, 0, BY, frozenset({Role.ADMIN}))


def _told(found: Found) -> str:
    revision = f", revisão {found.revision[:12]}" if found.revision else ""
    return f"enviados: {found.sent}, fora da fonte: {found.removed}{revision}"


def _record(source: SyncSource, result: Result, words: str, *, error: str | None = None) -> None:
    said = f"{source.collection.slug}: {words}" if words else source.collection.slug
    trail.record(
        trail.Entry(
            correlacao_id=source.ref,
            acao="fonte.lida",
            resultado=result,
            autorizacao=Authorization.REGRA,
            entrada_resumo=BY,
            saida_resumo=said,
            erro=error,
        )
    )
