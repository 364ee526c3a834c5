"""Reads about collections, documents and uploads, each for somebody: what is not granted to them
is not there."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import QuerySet

from grounding.access import readable
from grounding.access.readable import Readable, Who
from grounding.models import Chunk, Collection, Document, Upload, Version
from opspilot.errors import NotFoundError


def collections(*, who: Who) -> list[Readable]:
    return readable.by(who)


def collection_rows(*, who: Who) -> QuerySet[Collection]:
    """The same as rows, by name."""
    return Collection.objects.filter(pk__in=readable.ids(who)).order_by("name")


def collection(*, who: Who, number: str) -> Collection:
    """The one that a form names by its id. Raises NotFoundError."""
    found = next((one for one in collection_rows(who=who) if str(one.pk) == number), None)
    if found is None:
        raise NotFoundError
    return found


def collection_ids(*, who: Who, slugs: Sequence[str] = ()) -> list[int]:
    """Ids of the named collections, or of all that they may read; any other name is not there."""
    found = [one for one in readable.by(who) if not slugs or one.slug in slugs]
    return sorted(one.id for one in found)


def document_count(*, who: Who) -> int:
    mine = Version.objects.filter(document__collection_id__in=readable.ids(who))
    return mine.filter(active=True).count()


def document(*, who: Who, ref: UUID) -> Document:
    mine = Document.objects.filter(collection_id__in=readable.ids(who))
    found = mine.select_related("collection").filter(ref=ref).first()
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


def uploads(*, who: Who, limit: int = 30) -> list[Upload]:
    """The latest files."""
    mine = Upload.objects.filter(collection_id__in=readable.ids(who))
    return list(mine.defer("content").order_by("-pk")[:limit])
