"""When a window is closed: no row can still come into it.

A row's moment is the wall clock at its insert, and the row is seen only when its transaction has
committed, which may be later. Neither a margin nor the oldest transaction number proves that nothing
is still to come: a writer reads the clock before it is given a number. What holds is its lock.
PostgreSQL takes ROW EXCLUSIVE on the table before an INSERT evaluates anything, for prepared
statements too, and gives it back only after the transaction is no longer in progress. So:

1. let t be a moment past the end of the window (by MARGIN, for a clock that was set back a little);
2. whoever read the clock before t and is not yet visible holds its lock at t, so a look at the locks
   after t finds it;
3. when every transaction of that look has ended, a statement that begins then sees all rows whose
   moment lies in the window, and no more can come.

Later writers are not waited for, so a busy trail is sealed as soon as an idle one; readers hold a
lesser lock and are not waited for at all, and we take no lock of our own.
Not covered: a server's clock set back by more than MARGIN. Such a row is found as one too many.
"""

from __future__ import annotations

import datetime as dt
import time

from django.db import connection

from opspilot.tenancy import clock

# Of the trail or of a month of it. Nobody's rows are read here.
_WRITERS = """
SELECT DISTINCT l.virtualtransaction FROM pg_locks l
 WHERE l.locktype = 'relation' AND l.mode = 'RowExclusiveLock' AND l.granted
   AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
   AND (l.relation = 'agente_acao'::regclass OR l.relation IN (
     SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = 'agente_acao'::regclass))
   AND l.pid IS DISTINCT FROM pg_backend_pid()
"""
HOUR = dt.timedelta(hours=1)
MARGIN = dt.timedelta(seconds=60)
PATIENCE = 5.0  # seconds; a transaction that writes the trail lasts milliseconds
_PAUSE = 0.02


class OpenWriterError(Exception):
    """A transaction that began to write before the window's end is still open. Try again later."""


def closed_until(*, patience: float = PATIENCE) -> dt.datetime:
    """The full hour before which every window is closed, by the rule above.

    Must run in no transaction that keeps one snapshot. Raises OpenWriterError.
    """
    until = hour_of(clock.now() - MARGIN)
    await_writers(patience=patience)
    return until


def await_writers(*, patience: float = PATIENCE) -> None:
    """Return when all who may be writing the trail now have ended. Raises OpenWriterError."""
    deadline = time.monotonic() + patience
    open_ones = writers()
    while open_ones and (open_ones := open_ones & writers()):
        if time.monotonic() > deadline:
            raise OpenWriterError
        time.sleep(_PAUSE)


def writers() -> set[str]:
    """Transactions of others that may still insert into the trail, by PostgreSQL's own names."""
    with connection.cursor() as cursor:
        cursor.execute(_WRITERS)
        return {row[0] for row in cursor.fetchall()}


def hour_of(at: dt.datetime) -> dt.datetime:
    """The full hour it lies in, in UTC."""
    return at.astimezone(dt.UTC).replace(minute=0, second=0, microsecond=0)
