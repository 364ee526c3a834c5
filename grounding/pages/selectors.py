"""Reads about collections, documents and uploads."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from grounding.models import Chunk, Collection, Document, Upload, Version
from opspilot.errors import NotFoundError


def collections() -> list[Collection]:
    return list(Collection.objects.order_by("name"))


def collection_ids(*, slugs: Sequence[str] = ()) -> list[int]:
    """Ids of the named collections, or of all; names that do not exist are simply not there."""
    found = Collection.objects.order_by("pk")
    if slugs:
        found = found.filter(slug__in=[slug for slug in slugs if slug.isprintable()])
    return list(found.values_list("pk", flat=True))


def document_count() -> int:
    return Version.objects.filter(active=True).count()


def document(*, ref: UUID) -> Document:
    found = Document.objects.select_related("collection").filter(ref=ref).first()
    if found is None:
        raise NotFoundError
    return found


def version(*, document: Document, number: int | None) -> Version:
    """The version with this number, or the active one."""
    mine = Version.objects.filter(document=document)
    found = mine.filter(number=number) if number else mine.filter(active=True)
    row = found.first() or (mine.order_by("-number").first() if number is None else None)
    if row is None:
        raise NotFoundError
    return row


def chunk(*, version: Version, number: int | None) -> Chunk | None:
    """The passage with this number, counted from 1."""
    if number is None:
        return None
    return Chunk.objects.filter(version=version, ordinal=number - 1).first()


def uploads(*, batch: UUID | None = None, limit: int = 30) -> list[Upload]:
    """The files of one batch, or the latest ones."""
    rows = Upload.objects.defer("content").order_by("-pk")
    if batch is not None:
        rows = rows.filter(batch=batch)
    return list(rows[:limit])
