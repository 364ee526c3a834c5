"""Faults to order: each is used up by the next API request it fits."""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any

from opspilot.sandbox.semaphore.messages import Request, refused
from opspilot.sandbox.semaphore.plays import Play

START = "startTask"
_LISTS = frozenset({"lastTemplateTasks", "lastProjectTasks"})
_LONGEST_WAIT = 3.2e8  # seconds: ten years, for a list that stays blind


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
    SLOW = "slow"
    STORE_LATE = "store_late"
    HANG_BEFORE = "hang_before"
    LIST_DOWN = "list_down"
    LIST_LATE = "list_late"
    MARKER_EDITED = "marker_edited"
    TWO_WITH_MARKER = "two_with_marker"
    MEMBER_NO_MORE = "member_no_more"
    PLAY = "play"


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
# They change no answer: they ride along with the next start, beside another fault or alone.
RIDERS = frozenset(
    {
        Kind.LIST_LATE,
        Kind.MARKER_EDITED,
        Kind.TWO_WITH_MARKER,
        Kind.MEMBER_NO_MORE,
        Kind.PLAY,
    }
)
# The log has the request before the wait begins.
WAITS_AFTER = frozenset({Kind.SLOW, Kind.HANG_BEFORE})


@dataclass
class Fault:
    """`method` "*" fits every method; `operation`, `path_contains` (path and query as sent) and
    `body_contains` narrow it further.

    `status` 0 is the kind's usual one. `seconds` serves the waiting kinds, `list_late` and a
    play; `play` names how the task misbehaves while it runs.
    """

    kind: Kind
    method: str = "POST"
    times: int = 1
    operation: str = ""
    path_contains: str = ""
    body_contains: str = ""
    status: int = 0
    body: Any = None
    retry_after: int | None = None
    seconds: float = 0.0
    play: str = ""

    def fits(self, request: Request, operation: str) -> bool:
        if self.path_contains not in request.target:
            return False
        if self.body_contains.encode() not in request.body:
            return False
        if self.kind is Kind.LIST_DOWN:
            return operation in _LISTS
        if self.kind in RIDERS:
            return operation == START
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
        """The one that decides the answer."""
        with self._lock:
            for fault in self._faults:
                if fault.kind not in RIDERS and fault.fits(request, operation):
                    return self._use(fault)
        return None

    def take_riders(self, request: Request, operation: str) -> dict[Kind, Fault]:
        """At most one of each kind."""
        found: dict[Kind, Fault] = {}
        with self._lock:
            for fault in list(self._faults):
                fits = fault.kind in RIDERS and fault.fits(request, operation)
                if fits and fault.kind not in found:
                    found[fault.kind] = self._use(fault)
        return found

    def _use(self, fault: Fault) -> Fault:
        fault.times -= 1
        if fault.times <= 0:
            self._faults.remove(fault)
        return fault


def read_faults(value: Any) -> list[Fault]:
    if not isinstance(value, list):
        raise refused(400, "a JSON list of faults is wanted")
    return [read_fault(item) for item in value]


def read_fault(item: Any) -> Fault:
    known = {field.name for field in fields(Fault)}
    if not isinstance(item, dict) or not set(item) <= known:
        raise refused(400, f"a fault is an object with some of: {', '.join(sorted(known))}")
    if item.get("kind") not in list(Kind):
        raise refused(400, f"kind is one of: {', '.join(Kind)}")
    fault = Fault(**item | {"kind": Kind(item["kind"])})
    if fault.kind is Kind.PLAY and fault.play not in list(Play):
        raise refused(400, f"play is one of: {', '.join(Play)}")
    if not isinstance(fault.seconds, int | float) or not 0 <= fault.seconds <= _LONGEST_WAIT:
        raise refused(400, f"seconds lies between 0 and {_LONGEST_WAIT:.0f}")
    if not isinstance(fault.times, int) or fault.times < 1:
        raise refused(400, "times is a whole number from 1")
    return fault
