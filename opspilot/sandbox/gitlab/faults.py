"""Faults to order: each is used up by the next API request it fits."""

from __future__ import annotations

import threading
import time
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any

from opspilot.sandbox.gitlab.messages import (
    Answer,
    Request,
    bad_parameter,
    html_answer,
    json_answer,
    text_answer,
)

_LONGEST_WAIT = 3600.0
_LOGIN_PAGE = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in</body></html>"


class Kind(StrEnum):
    REFUSE = "refuse"
    THROTTLE = "throttle"
    ERROR_BEFORE = "error_before"
    ERROR_AFTER = "error_after"
    DROP_BEFORE = "drop_before"
    DROP_AFTER = "drop_after"
    CUT_BODY = "cut_body"
    HTML_200 = "html_200"
    SLOW = "slow"
    STORE_LATE = "store_late"
    HANG_BEFORE = "hang_before"
    LIST_DOWN = "list_down"
    LIST_LATE = "list_late"


BEFORE = frozenset(
    {
        Kind.REFUSE,
        Kind.THROTTLE,
        Kind.ERROR_BEFORE,
        Kind.DROP_BEFORE,
        Kind.HANG_BEFORE,
        Kind.LIST_DOWN,
    }
)


@dataclass
class Fault:
    """`method` "*" fits every method; `path_contains` narrows by the path as sent.

    `retry_after` None on a throttle means a bare plain-text 429. `seconds` serves the waiting
    kinds and `list_late`. `list_late` changes no answer: it rides along with the next creation.
    """

    kind: Kind
    method: str = "POST"
    times: int = 1
    path_contains: str = ""
    status: int = 403
    body: Any = None
    retry_after: int | None = None
    seconds: float = 0.0

    def fits(self, request: Request, operation: str) -> bool:
        if self.path_contains not in request.target:
            return False
        if self.kind is Kind.LIST_DOWN:
            return operation == "listIssues"
        if self.kind is Kind.LIST_LATE:
            return operation == "createIssue"
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
        return self._take(request, operation, late=False)

    def take_list_delay(self, request: Request, operation: str) -> float:
        fault = self._take(request, operation, late=True)
        return fault.seconds if fault else 0.0

    def _take(self, request: Request, operation: str, *, late: bool) -> Fault | None:
        with self._lock:
            for fault in self._faults:
                if (fault.kind is Kind.LIST_LATE) == late and fault.fits(request, operation):
                    return self._use(fault)
        return None

    def _use(self, fault: Fault) -> Fault:
        fault.times -= 1
        if fault.times <= 0:
            self._faults.remove(fault)
        return fault


def read_faults(value: Any) -> list[Fault]:
    if not isinstance(value, list):
        raise bad_parameter("a JSON list of faults is wanted")
    return [_read_fault(item) for item in value]


def _read_fault(item: Any) -> Fault:
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
    return fault


def refusal(fault: Fault) -> Answer:
    body = {"message": "403 Forbidden"} if fault.body is None else fault.body
    if isinstance(body, str):
        return text_answer(fault.status, body)
    return json_answer(fault.status, body)


def throttle(fault: Fault) -> Answer:
    if fault.retry_after is None:
        return text_answer(429, "Retry later\n")
    message = "This endpoint has been requested too many times. Try again later."
    headers = {
        "Retry-After": str(fault.retry_after),
        "RateLimit-Limit": "300",
        "RateLimit-Observed": "301",
        "RateLimit-Remaining": "0",
        "RateLimit-Reset": str(int(time.time()) + fault.retry_after),
        "RateLimit-Name": "issues_create",
    }
    return json_answer(429, {"message": {"error": message}}, headers=headers)


def server_error() -> Answer:
    return json_answer(500, {"message": "500 Internal Server Error"})


def unavailable() -> Answer:
    return html_answer(503, "<html><body><h1>503 Service Unavailable</h1></body></html>")


def login_page(stored_iid: int | None) -> Answer:
    answer = html_answer(200, _LOGIN_PAGE)
    return Answer(answer.status, answer.body, answer.content_type, stored_iid=stored_iid)
