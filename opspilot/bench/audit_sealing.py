"""How fast the trail is sealed, and checked against its seals from the rows' own fields."""

from __future__ import annotations

import datetime as dt
import time
from typing import Any

from audit.models import TrailSeal
from audit.seal import closing, keys, sealing, verify
from opspilot.bench import audit_cast
from opspilot.tenancy.scope import tenant_scope


def measure() -> dict[str, Any]:
    tenant_id, until, ring = audit_cast.company(), closing.closed_until(), keys.ring()
    started, seals = time.perf_counter(), list[TrailSeal]()
    while some := _sealed(until, ring):
        seals += some
    seconds = time.perf_counter() - started
    started = time.perf_counter()
    report = verify.verify_tenant(tenant_id)
    checking = time.perf_counter() - started
    if not report.is_good:
        raise AssertionError(f"the trail that was just sealed is {report.first_bad}")
    return {
        "verify_rows": report.rows,
        "verify_rows_s": report.rows / checking,
        "seal_windows": len(seals),
        "seal_rows_s": sum(seal.rows for seal in seals) / seconds,
    }


def _sealed(until: dt.datetime, ring: tuple[keys.Signer, ...]) -> list[TrailSeal]:
    with tenant_scope(audit_cast.company()):
        return sealing.seal_closed(until=until, ring=ring)
