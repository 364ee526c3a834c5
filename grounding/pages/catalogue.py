"""The knowledge page's list: documents by state, files on their way or refused, a page at a time.

`readable` are the ids of the collections that the reader may read: nothing else is listed or counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeVar
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from grounding.intake.holding import OPEN
from grounding.models import Chunk, Upload, UploadState, Version

PAGE = 50  # rows
Found = TypeVar("Found", Version, Upload)
State = Literal[
    "ativo", "processando", "quarentena", "recusado", "substituido",
    "vencido", "a_retirar", "retirado", "apagado",
]  # fmt: skip
OF_FILES: tuple[State, ...] = ("processando", "quarentena", "recusado")
OF_VERSIONS: tuple[State, ...] = (
    "ativo", "substituido", "vencido", "a_retirar", "retirado", "apagado",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the list. A version has a `ref` to be read at; a file has its `upload` instead."""

    title: str
    name: str
    collection: str
    at: datetime
    ref: UUID | None = None
    number: int | None = None
    chunks: int | None = None
    language: str = ""
    findings: Sequence[str] = field(default_factory=list)
    upload: Upload | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """`first` and `last` count from 1; both are 0 on an empty page."""

    rows: list[Row]
    number: int
    total: int

    @property
    def first(self) -> int:
        return (self.number - 1) * PAGE + 1 if self.rows else 0

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1 if self.rows else 0

    @property
    def has_next(self) -> bool:
        return self.last < self.total


def page(*, readable: Sequence[int], state: State, collection: str = "", number: int = 1) -> Page:
    """The newest first. A page past the end is the last one."""
    if state in OF_VERSIONS:
        versions = _versions(readable, state, collection)
        total = versions.count()
        number = _within(number, total)
        return Page(_version_rows(_slice(versions, number)), number, total)
    files = _files(readable, state, collection)
    total = files.count()
    number = _within(number, total)
    return Page([_file_row(row) for row in _slice(files, number)], number, total)


def counts(
    *, readable: Sequence[int], states: Sequence[State], collection: str = ""
) -> dict[State, int]:
    return {state: _matching(readable, state, collection).count() for state in states}


def newest() -> int:
    """Of the versions, so that a page can tell what was published after it was drawn."""
    return Version.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def published_after(version_id: int, *, readable: Sequence[int]) -> int:
    mine = Version.objects.filter(document__collection_id__in=readable)
    return mine.filter(active=True, pk__gt=version_id).count()


def _matching(
    readable: Sequence[int], state: State, collection: str
) -> QuerySet[Version] | QuerySet[Upload]:
    return (_versions if state in OF_VERSIONS else _files)(readable, state, collection)


def _versions(readable: Sequence[int], state: State, collection: str) -> QuerySet[Version]:
    found = Version.objects.filter(_of(state), document__collection_id__in=readable)
    if collection:
        found = found.filter(document__collection__slug=collection)
    found = found.select_related("document__collection").defer("text")
    return found.order_by("-published_at", "-pk")


def _of(state: State) -> Q:
    """Of a document that left the search its last version stands for it."""
    last = Q(active=False, replaced_at__isnull=True)
    living = Q(document__deleted_at__isnull=True)
    return {
        "ativo": Q(active=True),
        "vencido": Q(active=True, document__review_by__lt=timezone.localdate()),
        "a_retirar": Q(active=True, document__removal_asked_at__isnull=False),
        "substituido": living & Q(active=False, replaced_at__isnull=False),
        "retirado": living & last,
        "apagado": last & Q(document__deleted_at__isnull=False),
    }[state]


def _files(readable: Sequence[int], state: State, collection: str) -> QuerySet[Upload]:
    """Of the refused ones only those whose name was not sent again: the rest is history."""
    mine = Upload.objects.filter(collection_id__in=readable)
    found = mine.filter(state__in=OPEN)
    if state == "quarentena":
        found = mine.filter(state=UploadState.NEEDS_REVIEW)
    elif state == "recusado":
        found = mine.filter(~Exists(_later()), state=UploadState.REJECTED)
    if collection:
        found = found.filter(collection__slug=collection)
    return found.select_related("collection").defer("content").order_by("-pk")


def _later() -> QuerySet[Upload]:
    return Upload.objects.filter(
        collection_id=OuterRef("collection_id"), name=OuterRef("name"), pk__gt=OuterRef("pk")
    )


def _slice(found: QuerySet[Found], number: int) -> list[Found]:
    return list(found[(number - 1) * PAGE : number * PAGE])


def _within(number: int, total: int) -> int:
    return max(1, min(number, -(-total // PAGE)))


def _version_rows(versions: list[Version]) -> list[Row]:
    mine = Chunk.objects.filter(version__in=versions).values_list("version_id")
    chunks = dict(mine.annotate(number=Count("pk")))
    return [
        Row(
            title=version.title,
            name=version.document.name,
            collection=version.document.collection.name,
            at=version.published_at,
            ref=version.document.ref,
            number=version.number,
            chunks=chunks.get(version.pk, 0),
            language=version.language,
            findings=version.findings,
        )
        for version in versions
    ]


def _file_row(upload: Upload) -> Row:
    at = upload.finished_at or upload.created_at
    return Row(upload.name, upload.name, upload.collection.name, at, upload=upload)
