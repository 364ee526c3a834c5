"""Reads about destinations and about what was, or was not, delivered."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Q
from django.db.models.functions import Now

from opspilot.notices import recipients
from opspilot.notices.models import Destination, Notice, NoticeState

SHOWN = 20
LATELY = dt.timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Troubles:
    """What did not leave lately, and what was put off and waits for another try."""

    failed: int
    waiting: int
    newest: list[Notice]


def destinations() -> list[Destination]:
    """Those that are on first, each half by name."""
    return list(Destination.objects.order_by("-active", "name", "pk"))


def troubles() -> Troubles:
    failed = Q(state=NoticeState.FALHOU, settled_at__gt=Now() - LATELY)
    waiting = Q(state=NoticeState.PENDENTE) & ~Q(outcome="")
    rows = Notice.objects.filter(failed | waiting).select_related("approval").order_by("-pk")
    return Troubles(
        failed=Notice.objects.filter(failed).count(),
        waiting=Notice.objects.filter(waiting).count(),
        newest=list(rows[:SHOWN]),
    )


def sent_to(destination: Destination) -> list[Notice]:
    """The newest of what went, or was to go, to this destination."""
    rows = Notice.objects.filter(recipient=recipients.name_of(destination))
    return list(rows.select_related("approval").order_by("-pk")[:SHOWN])
