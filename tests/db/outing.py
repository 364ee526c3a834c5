"""One of several workers while a provider is dead: `python -m tests.db.outing TENANT URL PROVIDER`.

Takes the company's due runs to wherever they go, until none is due. Each process begins at another
end of the queue, so that they meet.
"""

from __future__ import annotations

import random
import sys
import time
from unittest.mock import patch
from uuid import UUID

import django
from django.db import connection
from django.test import override_settings

FAILURES, WAIT = 5, 600.0  # faults that open the breaker; longer than the test: no probe is due


def due(tenant_id: UUID) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, id FROM due_work('run', 100000)")
        return [row for owner, row in cursor.fetchall() if owner == tenant_id]


def take_all(tenant_id: UUID) -> None:
    from opspilot.harness import loop

    while rows := due(tenant_id):
        random.shuffle(rows)
        for row in rows:
            loop.advance(tenant_id=tenant_id, run_id=row)
        time.sleep(0.01)


def main(tenant: str, url: str, provider: str) -> None:
    django.setup()
    from opspilot.connectors import readers
    from opspilot.connectors.completions import OpenAICompleter, Provider

    dead = OpenAICompleter(Provider(provider, url, "", "fails", 5, 900, "standard"))
    with (
        patch.object(readers, "completers", lambda: (dead,)),
        override_settings(
            OPSPILOT_PLANNER="model",
            OPSPILOT_BREAKER_FAILURES=FAILURES,
            OPSPILOT_BREAKER_SECONDS=WAIT,
            OPSPILOT_EGRESS_PRIVATE=["127.0.0.1"],
        ),
    ):
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        take_all(UUID(tenant))


if __name__ == "__main__":
    main(*sys.argv[1:])
