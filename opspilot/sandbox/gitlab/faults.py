"""Faults to order: each is used up by the next API request it fits."""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any

from opspilot.sandbox.gitlab.messages import Request, bad_parameter

_LONGEST_WAIT = 3600.0
STYLES = ("", "full", "json", "plain", "reset")


class Kind(StrEnum):
    REFUSE = "refuse"
    THROTTLE = "throttle"
    ERROR_BEFORE = "error_before"
    ERROR_AFTER = "error_after"
    GATEWAY_BEFORE = "gateway_before"
    GATEWAY_AFTER = "gateway_after"
    DROP_BEFORE = "drop_before"
    DROP_AFTER = "drop_after"
    RESET_AFTER = "reset_after"
    CUT_BODY = "cut_body"
    BROKEN_BODY = "broken_body"
    HTML_200 = "html_200"
    STATUS_200 = "status_200"
    FOREIGN_BODY = "foreign_body"
    SLOW = "slow"
    STORE_LATE = "store_late"
    HANG_BEFORE = "hang_before"
    LIST_DOWN = "list_down"
    LIST_LATE = "list_late"
    SEARCH_BLIND = "search_blind"
    MARKER_EDITED = "marker_edited"
    TWO_WITH_MARKER = "two_with_marker"
    PROJECT_MOVED = "project_moved"


# Nothing is stored: the request never reaches its endpoint.
BEFORE = frozenset(
    {
        Kind.REFUSE,
        Kind.THROTTLE,
        Kind.ERROR_BEFORE,
        Kind.GATEWAY_BEFORE,
        Kind.DROP_BEFORE,
        Kind.HANG_BEFORE,
        Kind.LIST_DOWN,
    }
)
# They change no answer: they ride along with the next creation, beside another fault or alone.
RIDERS = frozenset(
    {
        Kind.LIST_LATE,
        Kind.SEARCH_BLIND,
        Kind.MARKER_EDITED,
        Kind.TWO_WITH_MARKER,
        Kind.PROJECT_MOVED,
    }
)
# The log has the request before the wait begins.
WAITS_AFTER = frozenset({Kind.SLOW, Kind.HANG_BEFORE})


@dataclass
class Fault:
    """`method` "*" fits every method; `operation`, `path_contains` (path and query as sent) and
    `body_contains` narrow it further.

    `status` 0 is the kind's usual one. A throttle has a `style`: "full" (JSON and headers),
    "json" and "plain" (no headers), "reset" (RateLimit-Reset alone); "" is "full" with
    `retry_after`, else "plain". `seconds` serves the waiting kinds and `list_late`.
    """

    kind: Kind
    method: str = "POST"
    times: int = 1
    operation: str = ""
    path_contains: str = ""
    body_contains: str = ""
    status: int = 0
    body: Any = None
    style: str = ""
    retry_after: int | None = None
    seconds: float = 0.0

    def fits(self, request: Request, operation: str) -> bool:
        if self.path_contains not in request.target:
            return False
        if self.body_contains.encode() not in request.body:
            return False
        if self.kind is Kind.LIST_DOWN:
            return operation == "listIssues"
        if self.kind in RIDERS:
            return operation == "createIssue"
        if self.operation:
            return operation == self.operation
        return self.method in {"*", request.method}


class FaultQueue:
    """Kept in memory only: a killed sandbox comes back without faults."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._faults: list[Fault] = []

    def add(self, faults: list[Fault]) -> None:
        with self._lock:
            self._faults += faults

    def clear(self) -> None:
        with self._lock:
            self._faults.clear()

    def waiting(self) -> list[dict[str, Any]]:
        with self._lock:
            return [asdict(fault) for fault in self._faults]

    def take(self, request: Request, operation: str) -> Fault | None:
        with self._lock:
            for fault in self._faults:
                if fault.kind not in RIDERS and fault.fits(request, operation):
                    return self._use(fault)
        return None

    def take_riders(self, request: Request, operation: str) -> dict[Kind, Fault]:
        """At most one of each kind."""
        taken: dict[Kind, Fault] = {}
        with self._lock:
            for fault in list(self._faults):
                fits = fault.kind in RIDERS and fault.fits(request, operation)
                if fits and fault.kind not in taken:
                    taken[fault.kind] = self._use(fault)
        return taken

    def _use(self, fault: Fault) -> Fault:
        fault.times -= 1
        if fault.times <= 0:
            self._faults.remove(fault)
        return fault


def read_faults(value: Any) -> list[Fault]:
    if not isinstance(value, list):
        raise bad_parameter("a JSON list of faults is wanted")
    return [read_fault(item) for item in value]


def read_fault(item: Any) -> Fault:
    known = {field.name for field in fields(Fault)}
    if not isinstance(item, dict) or not set(item) <= known:
        raise bad_parameter(f"a fault is an object with some of: {', '.join(sorted(known))}")
    try:
        kind = Kind(item.get("kind", ""))
    except ValueError:
        raise bad_parameter(f"kind is one of: {', '.join(Kind)}") from None
    fault = Fault(**item | {"kind": kind})
    if not isinstance(fault.seconds, int | float) or not 0 <= fault.seconds <= _LONGEST_WAIT:
        raise bad_parameter(f"seconds lies between 0 and {_LONGEST_WAIT:.0f}")
    if not isinstance(fault.times, int) or fault.times < 1:
        raise bad_parameter("times is a whole number from 1")
    if fault.style not in STYLES:
        raise bad_parameter(f"style is one of: {', '.join(STYLES[1:])}")
    return fault
