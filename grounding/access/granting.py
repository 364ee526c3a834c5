"""Gives and takes the reading of a collection. Each act is an entry and a row of the trail."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection

from audit import trail
from grounding import reasons
from grounding.access import readable
from grounding.access.errors import AccessUnchangedError
from grounding.models import Collection, ReaderEntry
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import current_tenant_id

_LOCK = 4103
_AT_FIRST = "coleção nova: lida por todos os papéis, por nenhum agente"


def open_to_every_role(*, principal: Principal, collection: Collection) -> None:
    """A new collection's readers. The upload that makes the collection is what the trail tells of."""
    subjects = readable.subjects_of_roles(Role)
    _one_at_a_time()
    _add(principal, collection, subjects, granted=True, reason=_AT_FIRST)


def grant(*, principal: Principal, collection: Collection, subject: str, reason: str) -> None:
    """Let them read it. Raises ReasonMissingError, or AccessUnchangedError when they did."""
    _change(principal, collection, subject, granted=True, reason=reason)


def revoke(*, principal: Principal, collection: Collection, subject: str, reason: str) -> None:
    """From the next question on it does not exist for them. Raises as `grant` does."""
    _change(principal, collection, subject, granted=False, reason=reason)


def _change(
    principal: Principal, collection: Collection, subject: str, *, granted: bool, reason: str
) -> None:
    said = reasons.checked(reason)
    _one_at_a_time()
    if _reads(collection, subject) == granted:
        raise AccessUnchangedError
    (entry,) = _add(principal, collection, [subject], granted=granted, reason=said)
    trail.record_act(
        principal,
        "leitura.concedida" if granted else "leitura.revogada",
        saida_resumo=f"{collection.slug}: {subject}; acesso nº {entry.number}; {said}",
        reversivel=True,
    )


def _reads(collection: Collection, subject: str) -> bool:
    newest = ReaderEntry.objects.filter(collection=collection, subject=subject).order_by("-number")
    return bool(newest.values_list("granted", flat=True).first())


def _add(
    principal: Principal,
    collection: Collection,
    subjects: Iterable[str],
    *,
    granted: bool,
    reason: str,
) -> list[ReaderEntry]:
    return ReaderEntry.objects.bulk_create(
        ReaderEntry(
            tenant_id=principal.tenant_id,
            number=number,
            collection=collection,
            subject=subject,
            granted=granted,
            reason=reason,
            by=principal.subject,
            by_name=principal.name,
        )
        for number, subject in enumerate(subjects, readable.state() + 1)
    )


def _one_at_a_time() -> None:
    """Entries are numbered one after the other, so that a number says what held."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(%s, %s)", [_LOCK, current_tenant_id().int % 2**31]
        )
