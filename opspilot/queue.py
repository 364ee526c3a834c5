"""Wakes the worker. The queue carries only a kind of work: the domain's rows hold the truth, and a
sweep every few seconds finds whatever a lost wake left behind (ADR 0005)."""

from __future__ import annotations

from typing import Literal

import structlog
from django.db import DatabaseError, transaction
from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException

log = structlog.get_logger(__name__)
Kind = Literal[
    "upload",
    "run",
    "execution",
    "expiry",
    "mail",
    "escalation",
    "telling",
    "notice",
    "issues",
    "preflight",
    "draft",
    "permission",
    "checks",
    "traces",
    "seals",
    "reports",
    "packs",
    "sources",
    "index",
]
DRAIN = "opspilot.worker.tasks.drain"


def wake(kind: Kind) -> None:
    """After the open transaction commits, ask a worker to look for due work of this kind."""
    transaction.on_commit(lambda: _defer(kind))


def _defer(kind: Kind) -> None:
    """A queue that cannot be written costs seconds, not work: the sweep comes anyway."""
    task = app.configure_task(name=DRAIN, allow_unknown=True, queue=kind, queueing_lock=kind)
    try:
        with transaction.atomic():
            task.defer(kind=kind)
    except AlreadyEnqueued:
        pass
    except (ConnectorException, DatabaseError):
        log.warning("wake lost, the sweep will find the work", kind=kind)
