"""Reads about how a document stands: its versions, what is overdue, what was refused after it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils import timezone

from grounding.models import Document, RunbookLink, Upload, UploadState, Version

SHOWN = 50  # versions on the page


@dataclass(frozen=True, slots=True)
class Runbook:
    """What explains a task's template: its newest version, and whether its review is overdue."""

    document: Document
    title: str
    version: int | None


def versions(document: Document) -> list[Version]:
    """The newest first, without their texts."""
    mine = Version.objects.filter(document=document).defer("text")
    return list(mine.order_by("-number")[:SHOWN])


def is_overdue(document: Document) -> bool:
    return document.review_by is not None and document.review_by < timezone.localdate()


def overdue(document_ids: Iterable[int]) -> dict[int, dt.date]:
    """Of these documents those whose review date has passed, with the date."""
    late = Document.objects.filter(
        pk__in=set(document_ids), review_by__lt=timezone.localdate(), deleted_at=None
    )
    return {pk: day for pk, day in late.values_list("pk", "review_by") if day is not None}


def deletions(version_ids: Iterable[int]) -> dict[int, dt.datetime]:
    """Of these versions those whose document was deleted, with the moment."""
    gone = Version.objects.filter(pk__in=set(version_ids), document__deleted_at__isnull=False)
    found = gone.values_list("pk", "document__deleted_at")
    return {pk: at for pk, at in found if at is not None}


def refused_successor(document: Document, active: Version | None) -> Upload | None:
    """The newest file of this name, when it was refused, or waits in quarantine, after the version
    that is active."""
    mine = Upload.objects.filter(collection_id=document.collection_id, name=document.name)
    newest = mine.defer("content").order_by("-pk").first()
    waits = (UploadState.REJECTED, UploadState.NEEDS_REVIEW)
    if newest is None or newest.state not in waits or active is None:
        return None
    return newest if newest.created_at > active.published_at else None


def runbooks(template: int) -> list[Runbook]:
    """The documents an admin linked to this template of Semaphore, the first linked first."""
    links = RunbookLink.objects.filter(template=template).select_related("document")
    documents = [link.document for link in links.order_by("pk")]
    active = Version.objects.filter(document__in=documents, active=True).defer("text")
    newest = {version.document_id: version for version in active}
    return [_runbook(document, newest.get(document.pk)) for document in documents]


def _runbook(document: Document, version: Version | None) -> Runbook:
    if version is None:
        return Runbook(document, document.name, None)
    return Runbook(document, version.title, version.number)
