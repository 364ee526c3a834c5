"""A limit of time for the statements of one reading, after which the person is told so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import OperationalError, connections, transaction
from django.db.backends.utils import CursorWrapper
from psycopg.errors import QueryCanceled

from opspilot.errors import RefusedError

SECONDS = 20


@contextmanager
def limited(
    refusal: type[RefusedError], *, seconds: float = SECONDS, using: str = "default"
) -> Iterator[CursorWrapper]:
    """Statements of the connection inside end after so many seconds each, as this refusal, and leave
    the transaction usable. What is read lazily must be read to its end inside."""
    try:
        with transaction.atomic(using=using), connections[using].cursor() as cursor:
            cursor.execute("SELECT current_setting('statement_timeout')")
            before = cursor.fetchone()[0]
            cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{seconds}s"])
            yield cursor
            cursor.execute("SELECT set_config('statement_timeout', %s, true)", [before])
    except OperationalError as exc:
        if isinstance(exc.__cause__, QueryCanceled):
            raise refusal from exc
        raise
