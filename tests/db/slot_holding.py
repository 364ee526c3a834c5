"""A process that takes every slot of a remote and then only waits: `python -m tests.db.slot_holding NAME`."""

from __future__ import annotations

import sys
import time
import uuid

from django.conf import settings

from opspilot.resilience import slots
from opspilot.settings.env import databases

SLOTS, LEASE = 2, 1.0


def main(connector: str, company: str) -> None:
    settings.configure(
        DATABASES=databases(), OPSPILOT_CONNECTOR_SLOTS=SLOTS, OPSPILOT_LEASE_SECONDS=LEASE
    )
    for _ in range(SLOTS):
        slots.take(connector, tenant_id=uuid.UUID(company), token=uuid.uuid4())
    sys.stdout.write("held\n")
    sys.stdout.flush()
    time.sleep(60)


if __name__ == "__main__":
    main(*sys.argv[1:])
