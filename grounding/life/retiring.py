"""Takes a document out of the search and leaves its text: what cited it is read as before."""

from __future__ import annotations

from django.db.models.functions import Now

from audit import trail
from audit.vocabulary import Authorization, Result
from grounding import reasons
from grounding.intake import publishing
from grounding.life.errors import DocumentGoneError, NotRetiredError
from grounding.models import Document, Version
from opspilot.tenancy.principal import Principal


def retire(*, admin: Principal, document: Document, reason: str) -> None:
    """No version is active from the commit on, until its file is sent again.

    Raises ReasonMissingError, DocumentGoneError or NotRetiredError.
    """
    words = reasons.checked(reason)
    publishing.one_at_a_time(document)
    if Document.objects.filter(pk=document.pk, deleted_at__isnull=False).exists():
        raise DocumentGoneError
    if not _out_of_the_search(document, words):
        raise NotRetiredError
    _record(document, by=admin.signature, words=words)


def retire_for_source(document: Document, *, words: str, by: str) -> bool:
    """The same for a source whose file is gone; False when no version was active."""
    publishing.one_at_a_time(document)
    if not _out_of_the_search(document, words):
        return False
    _record(document, by=by, words=words)
    return True


def ask_removal(document: Document) -> bool:
    """Its source no longer has it: an admin is shown that, and decides. False when already asked."""
    mine = Document.objects.filter(pk=document.pk, removal_asked_at=None, deleted_at=None)
    return bool(mine.update(removal_asked_at=Now()))


def keep(*, admin: Principal, document: Document) -> None:
    """The admin's other answer: it stays, and is asked about when its source loses it again."""
    asked = Document.objects.filter(pk=document.pk, removal_asked_at__isnull=False, deleted_at=None)
    if asked.update(removal_asked_at=None):
        _record(document, by=admin.signature, words="fica na busca", action="documento.alterado")


def _out_of_the_search(document: Document, words: str) -> bool:
    active = Version.objects.filter(document=document, active=True)
    if not active.update(active=False):
        return False
    Document.objects.filter(pk=document.pk).update(
        retired_at=Now(), retired_reason=words, removal_asked_at=None
    )
    return True


def _record(
    document: Document, *, by: str, words: str, action: str = "conhecimento.retirado"
) -> None:
    trail.record(
        trail.Entry(
            correlacao_id=document.ref,
            acao=action,
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            fontes=[{"arquivo": document.name}],
            entrada_resumo=by,
            saida_resumo=words,
            reversivel=True,
        )
    )
