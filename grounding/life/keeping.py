"""Who keeps a document, what it is, and until when it is to be reviewed."""

from __future__ import annotations

import datetime as dt
import uuid

from django.db.models import F
from django.db.models.expressions import CombinedExpression

from audit import trail
from grounding.access import readable
from grounding.life.errors import DocumentGoneError, UnknownOwnerError
from grounding.models import Collection, Document, DocumentKind
from opspilot.tenancy import selectors
from opspilot.tenancy.principal import Principal


def owners() -> list[tuple[str, str]]:
    """Whom a document can be given to, with the name: the roles, and everybody who holds one."""
    return readable.roles() + [(member.subject, member.name) for member in selectors.members_now()]


def owner_words(dono: str) -> str:
    """A role's word or a person's name, also of somebody who left; empty for nobody."""
    return dict(readable.roles()).get(dono) or selectors.name_of(dono)


def describe(
    *,
    admin: Principal,
    document: Document,
    dono: str,
    tipo: DocumentKind,
    review_by: dt.date | None,
) -> None:
    """Raises UnknownOwnerError for a new owner who is nobody of the company, or DocumentGoneError."""
    _check_owner(dono, before=document.dono)
    mine = Document.objects.filter(pk=document.pk, deleted_at=None)
    if not mine.update(dono=dono, tipo=tipo, review_by=review_by):
        raise DocumentGoneError
    until = review_by.isoformat() if review_by else "sem data"
    _record(admin, document.ref, f"{document.name}: {_said(dono, tipo)}, revisar até {until}")


def set_defaults(
    *,
    admin: Principal,
    collection: Collection,
    dono: str,
    tipo: DocumentKind,
    review_days: int | None,
    existing: bool,
) -> int:
    """What new documents of the collection start with; with `existing` also those that have no
    owner yet. Returns how many of them. Raises UnknownOwnerError."""
    _check_owner(dono, before=collection.default_dono)
    Collection.objects.filter(pk=collection.pk).update(
        default_dono=dono, default_tipo=tipo, default_review_days=review_days
    )
    count = _fill(collection, dono, tipo, review_days) if existing else 0
    days = f"{review_days} dias" if review_days else "sem prazo"
    said = f"{collection.slug}: {_said(dono, tipo)}, revisar em {days}; existentes: {count}"
    _record(admin, uuid.uuid4(), said)
    return count


def _fill(collection: Collection, dono: str, tipo: DocumentKind, days: int | None) -> int:
    bare = Document.objects.filter(collection=collection, dono="", deleted_at=None)
    review: CombinedExpression | None = F("data") + days if days else None
    return bare.update(dono=dono, tipo=tipo, review_by=review)


def _check_owner(dono: str, *, before: str) -> None:
    """Who left stays the owner until somebody chooses another."""
    if dono and dono != before and dono not in dict(owners()):
        raise UnknownOwnerError


def _said(dono: str, tipo: DocumentKind) -> str:
    return f"dono {owner_words(dono) or 'ninguém'}, tipo {tipo.value}"


def _record(admin: Principal, run: uuid.UUID, said: str) -> None:
    trail.record_act(
        admin, "documento.alterado", correlacao_id=run, saida_resumo=said, reversivel=True
    )
