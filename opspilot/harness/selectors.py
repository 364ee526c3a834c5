"""Reads about runs. A question is seen by who asked and by those whose job is to judge or audit."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Case, Q, When

from opspilot.errors import NotFoundError
from opspilot.harness.models import Run, RunKind, RunState
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


def recent(*, principal: Principal, limit: int = 20) -> list[Run]:
    """One's own questions and explicit commands, newest first; a command that was never filled in
    is none yet."""
    mine = Run.objects.filter(requester=principal.subject)
    empty = Q(kind=RunKind.COMMAND, command={})
    return list(mine.exclude(empty).order_by("-id")[:limit])


def with_people(*, limit: int) -> list[Run]:
    """The company's runs that wait for a person, newest first; those that somebody has come last."""
    waiting = Run.objects.filter(state__in=[RunState.HANDOVER, RunState.REVIEW])
    return list(waiting.order_by(Case(When(held_by="", then=0), default=1), "-id")[:limit])


def unheld() -> int:
    """How many of those nobody has taken over."""
    waiting = Run.objects.filter(state__in=[RunState.HANDOVER, RunState.REVIEW])
    return waiting.filter(held_by="").count()


def _may_read(principal: Principal, found: Run) -> bool:
    return found.requester == principal.subject or principal.has(*RUN_READERS)
