"""How fast the trail is sealed, and checked against its seals from the rows' own fields."""

from __future__ import annotations

import time
from typing import Any

from audit.seal import closing, keys, sealing, verify
from opspilot.bench import audit_cast
from opspilot.tenancy.scope import tenant_scope


def measure() -> dict[str, Any]:
    tenant_id, until, ring = audit_cast.company(), closing.closed_until(), keys.ring()
    started, windows, sealed = time.perf_counter(), 0, 0
    while (one := _next(until, ring)) is not None:
        windows, sealed = windows + 1, sealed + one
    seconds = time.perf_counter() - started
    started = time.perf_counter()
    report = verify.verify_tenant(tenant_id)
    checking = time.perf_counter() - started
    if not report.is_good:
        raise AssertionError(f"the trail that was just sealed is {report.first_bad}")
    return {
        "verify_rows": report.rows,
        "verify_rows_s": report.rows / checking,
        "seal_windows": windows,
        "seal_rows_s": sealed / seconds,
    }


def _next(until: Any, ring: tuple[keys.Signer, ...]) -> int | None:
    with tenant_scope(audit_cast.company()):
        seal = sealing.seal_next(until=until, ring=ring)
        return seal.rows if seal else None
