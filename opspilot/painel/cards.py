"""One part of the dashboard that may fail alone: the others are still drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import structlog
from django.db import DatabaseError, transaction

log = structlog.get_logger(__name__)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Card(Generic[T]):
    """What was read, or that its source did not answer."""

    value: T | None
    failed: bool = False


def card(name: str, read: Callable[[], T]) -> Card[T]:
    """Read inside a savepoint: a query that fails takes nothing else of the page with it."""
    try:
        with transaction.atomic():
            return Card(read())
    except DatabaseError as exc:
        log.error("a card of the dashboard could not be read", card=name, exc_info=exc)
        return Card(None, failed=True)
