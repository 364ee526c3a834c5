"""The laboratory's questions: history, those that wait for a label, and those that are measured."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from uuid import UUID

from audit import trail
from grounding.access import readable
from grounding.lab.errors import LabelMissingError, UnknownDocumentError
from grounding.models import Document, LabQuestion, LabState
from grounding.reading.analysis import told_language
from opspilot.errors import NotFoundError
from opspilot.tenancy.principal import Principal

LONGEST = 2_000  # characters of a question here; the end of a longer one is left out
HISTORY = 20  # a company's questions that were only asked; older ones go
MOST = 40  # test questions of one measurement: a page waits for them


def ask(*, principal: Principal, text: str) -> LabQuestion:
    """Kept as history, so that its page has an address that does not hold the question."""
    row = _written(principal, text, LabState.ASKED)
    old = LabQuestion.objects.filter(state=LabState.ASKED).order_by("-pk")
    ids = list(old.values_list("pk", flat=True)[HISTORY:])
    LabQuestion.objects.filter(pk__in=ids).delete()
    return row


def did_not_help(*, principal: Principal, text: str, run: UUID, note: str) -> LabQuestion:
    """Once a run; a second press changes nothing."""
    known = LabQuestion.objects.filter(run=run).first()
    if known is not None:
        return known
    row = _written(principal, text, LabState.WAITING, run=run, note=note)
    _record(principal, "resposta.avaliada", "não ajudou", story=run)
    return row


def label(*, admin: Principal, question: LabQuestion, documents: Sequence[int], none: bool) -> None:
    """Made a test question, answered by any of these, or by none of what is published."""
    if bool(documents) == none:
        raise LabelMissingError
    mine = Document.objects.filter(collection_id__in=readable.ids(admin), deleted_at=None)
    known = mine.filter(pk__in=documents).count()
    if known != len(set(documents)):
        raise UnknownDocumentError
    LabQuestion.objects.filter(pk=question.pk).update(
        state=LabState.TEST, expected=sorted(set(documents))
    )
    _record(admin, "pergunta.rotulada", f"documentos: {len(set(documents))}")


def drop(*, admin: Principal, question: LabQuestion) -> None:
    LabQuestion.objects.filter(pk=question.pk).update(state=LabState.DROPPED)
    _record(admin, "pergunta.rotulada", "descartada")


def forget(*, before: dt.datetime) -> None:
    """What waits since then, and what was set aside. A test question is an admin's: it stays."""
    gone = (LabState.WAITING, LabState.DROPPED)
    LabQuestion.objects.filter(state__in=gone, at__lt=before).delete()


def one(*, ref: UUID) -> LabQuestion:
    found = LabQuestion.objects.filter(ref=ref).exclude(state=LabState.DROPPED).first()
    if found is None:
        raise NotFoundError
    return found


def helped_not(*, run: UUID) -> bool:
    """Whether somebody has said already that this run's answer did not help."""
    return LabQuestion.objects.filter(run=run).exists()


def listed(state: LabState) -> list[LabQuestion]:
    """The newest first."""
    found = LabQuestion.objects.filter(state=state).order_by("-pk")
    return list(found[: MOST if state == LabState.TEST else HISTORY])


def _written(
    principal: Principal, text: str, state: LabState, *, run: UUID | None = None, note: str = ""
) -> LabQuestion:
    return LabQuestion.objects.create(
        tenant_id=principal.tenant_id,
        text=text,
        language=told_language(text) or "",
        state=state,
        run=run,
        note=note,
        by=principal.subject,
        by_name=principal.name,
    )


def _record(who: Principal, action: str, said: str, *, story: UUID | None = None) -> None:
    """Never the question: its text stays in the laboratory."""
    trail.record_act(
        who,
        action,
        correlacao_id=story or uuid.uuid4(),
        saida_resumo=said,
        reversivel=action == "pergunta.rotulada",
    )
