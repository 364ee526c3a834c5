"""The database's clock, days ahead: what asks the time by name, in the worker's list and in the code, gets
another one. Rows stay as they are, and so does the moment that a table writes by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from tests.conftest import Connection

_CLOCKS = ("clock_timestamp", "statement_timestamp")
_FIRST = "moved, pg_catalog, public"


@contextmanager
def ahead(admin: Connection, *, days: int) -> Iterator[None]:
    """A schema with clocks of its own stands before the server's, for the application's connection
    and for the function that lists what is due. Both are as they were afterwards."""
    admin.execute("CREATE SCHEMA moved")
    try:
        for name in _CLOCKS:
            admin.execute(
                f"CREATE FUNCTION moved.{name}() RETURNS timestamptz LANGUAGE sql "
                f"AS $$ SELECT pg_catalog.{name}() + interval '{days} days' $$"
            )
        admin.execute("GRANT USAGE ON SCHEMA moved TO PUBLIC")
        admin.execute(f"ALTER FUNCTION due_work SET search_path = {_FIRST}, pg_temp")
        with connection.cursor() as cursor:
            cursor.execute(f"SET search_path = {_FIRST}")
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET search_path")
        admin.execute("ALTER FUNCTION due_work SET search_path = public, pg_temp")
        admin.execute("DROP SCHEMA moved CASCADE")
