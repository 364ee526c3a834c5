"""The sources of a company: which folder or repository keeps which collection. An admin's acts."""

from __future__ import annotations

import uuid

from django.db.models.functions import Now

from audit import trail
from grounding.intake import uploads
from grounding.models import OnRemoval, SourceKind, SyncSource
from grounding.sync import places, repository
from grounding.sync.errors import AlreadyFedError, SourceRefusedError, UnreadableSourceError
from grounding.sync.reading import Look, folder
from grounding.sync.words import reason
from opspilot.errors import NotFoundError
from opspilot.queue import wake
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal

SHORTEST, LONGEST = 5, 7 * 24 * 60  # minutes between two runs


def look(source: SyncSource) -> Look:
    """The source as it is now. Raises UnreadableSourceError. Needs the scope for the company's name
    only; the entries are taken outside it."""
    root = places.inside(Tenant.objects.get(pk=source.tenant_id).slug, source.path)
    return repository.look(root, source.branch) if source.kind == SourceKind.GIT else folder(root)


def add(
    *,
    admin: Principal,
    slug: str,
    kind: SourceKind,
    path: str,
    branch: str,
    on_removal: OnRemoval,
    every_minutes: int,
) -> SyncSource:
    """Read for the first time at once, and then every so often. Raises SourceRefusedError with the
    reason, AlreadyFedError, or what the collection's door raises."""
    source = SyncSource(
        tenant_id=admin.tenant_id,
        kind=kind,
        path=path,
        branch=branch if kind == SourceKind.GIT else "",
        on_removal=on_removal,
        every_minutes=every_minutes,
        made_by=admin.subject,
        made_by_name=admin.name,
    )
    try:
        look(source)
    except UnreadableSourceError as exc:
        raise SourceRefusedError(reason(exc.code)) from exc
    source.collection = uploads.collection(principal=admin, slug=slug)
    if SyncSource.objects.filter(collection=source.collection).exists():
        raise AlreadyFedError
    source.save(force_insert=True)
    _record(admin, source, "fonte.incluida", f"a cada {every_minutes} min")
    wake("sources")
    return source


def get(ref: uuid.UUID) -> SyncSource:
    found = SyncSource.objects.select_related("collection").filter(ref=ref).first()
    if found is None:
        raise NotFoundError
    return found


def run_now(*, admin: Principal, source: SyncSource) -> None:
    """One that is switched off stays so."""
    if SyncSource.objects.filter(pk=source.pk, next_at__isnull=False).update(next_at=Now()):
        _record(admin, source, "fonte.alterada", "lida a pedido")
        wake("sources")


def pause(*, admin: Principal, source: SyncSource) -> None:
    if SyncSource.objects.filter(pk=source.pk, next_at__isnull=False).update(next_at=None):
        _record(admin, source, "fonte.alterada", "desligada")


def resume(*, admin: Principal, source: SyncSource) -> None:
    if SyncSource.objects.filter(pk=source.pk, next_at=None).update(next_at=Now()):
        _record(admin, source, "fonte.alterada", "ligada")
        wake("sources")


def remove(*, admin: Principal, source: SyncSource) -> None:
    """The documents stay as they are; nothing feeds them any more."""
    _record(admin, source, "fonte.retirada", "os documentos ficam")
    SyncSource.objects.filter(pk=source.pk).delete()


def _record(admin: Principal, source: SyncSource, action: str, words: str) -> None:
    where = f"{source.path} ({source.branch})" if source.branch else source.path
    trail.record_act(
        admin,
        action,
        correlacao_id=source.ref,
        saida_resumo=f"{source.collection.slug}: {source.get_kind_display()} {where}, {words}",
        reversivel=True,
    )
