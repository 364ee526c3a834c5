"""The trace of the entity with the most rows, built as the worker builds it, and the memory it took."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings

from audit import entities
from audit.entities import CUSTOMER
from audit.models import Trace, TraceState
from audit.trace import asking, building
from opspilot.bench import audit_cast
from opspilot.tenancy.scope import tenant_scope

_STATUS = Path("/proc/self/status")
_OPEN = (TraceState.QUEUED, TraceState.BUILDING)


def measure() -> dict[str, Any]:
    """Alone in its process: what it grows by is the export's. Null where the system does not say."""
    trace = _asked()
    idle = _idle()
    started = time.perf_counter()
    while trace.state in _OPEN:
        building.advance(tenant_id=trace.tenant_id, trace_id=trace.pk)
        with tenant_scope(trace.tenant_id):
            trace.refresh_from_db()
    seconds = time.perf_counter() - started
    if trace.state != TraceState.READY:
        raise AssertionError(f"the trace ended as {trace.state} {trace.code}")
    return {
        "export_rows": trace.rows,
        "export_rows_s": trace.rows / seconds,
        "export_bytes": trace.size,
        "export_growth_mb": None if idle is None else _kilobytes("VmHWM") / 1024 - idle,
    }


def _asked() -> Trace:
    Path(settings.OPSPILOT_EXPORT_DIR).mkdir(mode=0o700, exist_ok=True)
    with tenant_scope(audit_cast.company()):
        return asking.ask(
            person=audit_cast.person("bench-conformidade"),
            entity=entities.get(type_=CUSTOMER, ref=audit_cast.HUGE),
            reason="medir a exportação",
        )


def _idle() -> float | None:
    """Megabytes now; from here on the system's own high-water mark counts anew."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
        return _kilobytes("VmRSS") / 1024
    return None


def _kilobytes(name: str) -> int:
    line = next(text for text in _STATUS.read_text().splitlines() if text.startswith(name))
    return int(line.split()[1])
