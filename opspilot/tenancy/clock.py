"""The one clock that decides: the database's."""

from __future__ import annotations

import datetime as dt

from django.db import connection


def now() -> dt.datetime:
    """The database server's time at this very moment, not at the transaction's start."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: dt.datetime = cursor.fetchone()[0]
    return moment
