"""One of several processes that meet at an open breaker: `python -m tests.db.probing NAME FILE COUNT`.

Each probe it is let through as is a fault again, and leaves one line in the file: when it was let
through and when it was about to say so, by the database's clock. Ends when the file has COUNT lines.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from django.conf import settings
from django.db import connection

from opspilot.resilience import breaker
from opspilot.settings.env import databases

WAIT = 0.05
LINE = 2 * 17 + 1  # two moments in microseconds, each with its blank


def moment() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
        return f"{cursor.fetchone()[0]:>16} "


def probe(connector: str, log: int) -> float:
    """Seconds to wait before the next look."""
    try:
        admission = breaker.admit(connector)
    except breaker.OpenError as exc:
        return exc.retry_after
    assert admission.probe is not None
    begun = moment()
    os.write(log, f"{begun}{moment()}\n".encode())
    breaker.account(admission, well=False)
    return 0.0


def main(connector: str, path: Path, count: int) -> None:
    settings.configure(
        DATABASES=databases(),
        OPSPILOT_BREAKER_FAILURES=5,
        OPSPILOT_BREAKER_SECONDS=WAIT,
        OPSPILOT_LEASE_SECONDS=5.0,
    )
    log = os.open(path, os.O_WRONLY | os.O_APPEND)
    until = time.monotonic() + 60
    while path.stat().st_size < count * LINE and time.monotonic() < until:
        time.sleep(min(0.02, probe(connector, log)))  # all eight are there when the wait ends


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
