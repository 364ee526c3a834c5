"""Reads about runs. A question is seen by who asked and by those whose job is to judge or audit."""

from __future__ import annotations

from uuid import UUID

from opspilot.errors import NotFoundError
from opspilot.harness.models import Run, RunKind
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import RUN_READERS


def run(*, principal: Principal, ref: UUID) -> Run:
    found = Run.objects.filter(ref=ref).first()
    if found is None or not _may_read(principal, found):
        raise NotFoundError
    return found


def own_run(*, principal: Principal, ref: UUID) -> Run:
    """A run only its requester may go on with."""
    found = Run.objects.filter(ref=ref, requester=principal.subject).first()
    if found is None:
        raise NotFoundError
    return found


def recent_questions(*, principal: Principal, limit: int = 20) -> list[Run]:
    mine = Run.objects.filter(requester=principal.subject, kind=RunKind.QUESTION)
    return list(mine.order_by("-id")[:limit])


def _may_read(principal: Principal, found: Run) -> bool:
    return found.requester == principal.subject or principal.has(*RUN_READERS)
