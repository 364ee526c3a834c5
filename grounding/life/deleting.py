"""Deletes a document: its text is gone at commit, from everything that showed it; the row stays."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from audit import trail
from grounding import reasons
from grounding.intake import holding, publishing
from grounding.life import citing
from grounding.life.errors import ConsequencesMovedError, DocumentGoneError
from grounding.models import (
    Chunk,
    Document,
    Posting,
    RunbookLink,
    Upload,
    UploadState,
    Vector,
    Version,
)
from grounding.retrieval import texts
from opspilot.tenancy import lease
from opspilot.tenancy.principal import Principal

DELETED = "deleted"  # an upload whose document was deleted before it was read


@dataclass(frozen=True, slots=True)
class Consequences:
    """What goes with the document, and who will show a tombstone in its place."""

    versions: int
    passages: int
    answers: int
    proposals: int
    waiting: int
    links: int

    @property
    def seal(self) -> str:
        """Posted back by the form: nobody deletes more than they were shown. Answers and decided
        proposals are left out: one more that will show a tombstone changes nobody's mind."""
        kept = (self.versions, self.passages, self.waiting, self.links)
        return hashlib.sha256(repr(kept).encode()).hexdigest()


def consequences(document: Document) -> Consequences:
    ids = _versions(document)
    cited = citing.count(ids)
    return Consequences(
        versions=len(ids),
        passages=Chunk.objects.filter(version__in=ids).count(),
        answers=cited.answers,
        proposals=cited.proposals,
        waiting=cited.waiting,
        links=RunbookLink.objects.filter(document=document).count(),
    )


def delete(*, admin: Principal, document: Document, reason: str, seen: str) -> None:
    """Text, passages, terms and vectors go in the open transaction, and what answers kept of them.

    Raises ReasonMissingError, DocumentGoneError or ConsequencesMovedError.
    """
    words = reasons.checked(reason)
    # Its files first: a worker that is publishing one holds its row, and only then the document.
    _close_files(document)
    publishing.one_at_a_time(document)
    texts.take_away()
    if Document.objects.filter(pk=document.pk, deleted_at__isnull=False).exists():
        raise DocumentGoneError
    found = consequences(document)
    if found.seal != seen:
        raise ConsequencesMovedError
    _mark(admin, document, words)
    _blank(document)
    _record(admin, document, words, found)


def _versions(document: Document) -> list[int]:
    return list(Version.objects.filter(document=document).values_list("pk", flat=True))


def _uploads(document: Document) -> QuerySet[Upload]:
    return Upload.objects.filter(collection_id=document.collection_id, name=document.name)


def _close_files(document: Document) -> None:
    """Late workers find no claim of theirs, and nobody can have an old file tried again."""
    kept = Q(state__in=holding.OPEN) | Q(content__isnull=False)
    _uploads(document).filter(kept).update(
        state=UploadState.REJECTED, code=DELETED, content=None, finished_at=Now(), **lease.RELEASED
    )
    _uploads(document).update(detail={})  # may hold words of the file


def _mark(admin: Principal, document: Document, words: str) -> None:
    Document.objects.filter(pk=document.pk).update(
        deleted_at=Now(),
        deleted_by=admin.subject,
        deleted_by_name=admin.name,
        deleted_reason=words,
    )


def _blank(document: Document) -> None:
    ids = _versions(document)
    citing.forget(ids)
    for rows in (Vector, Posting):
        rows.objects.filter(chunk__version__in=ids).delete()
    Chunk.objects.filter(version__in=ids).delete()
    RunbookLink.objects.filter(document=document).delete()
    Version.objects.filter(document=document).update(active=False, text="", findings=[])


def _record(admin: Principal, document: Document, words: str, found: Consequences) -> None:
    newest = Version.objects.filter(document=document).order_by("-number").first()
    trail.record_act(
        admin,
        "conhecimento.apagado",
        correlacao_id=document.ref,
        fontes=[{"arquivo": document.name, "sha256": newest.sha256 if newest else ""}],
        saida_resumo=(
            f"versões: {found.versions}, trechos: {found.passages}, "
            f"respostas que citavam: {found.answers}, propostas: {found.proposals}; {words}"
        ),
    )
