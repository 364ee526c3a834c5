"""What the client gets to see of a fault."""

from __future__ import annotations

import json
from dataclasses import replace

from opspilot.sandbox.gitlab.faults import Fault
from opspilot.sandbox.gitlab.messages import Answer, html_answer, json_answer, text_answer

_LOGIN_PAGE = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in</body></html>"
_TOO_MANY = "This endpoint has been requested too many times. Try again later."
_RESET_AFTER = 30  # seconds, where an order names none


def refusal(fault: Fault) -> Answer:
    body = {"message": "403 Forbidden"} if fault.body is None else fault.body
    if isinstance(body, str):
        return text_answer(fault.status or 403, body)
    return json_answer(fault.status or 403, body)


def throttle(fault: Fault, *, at: float) -> Answer:
    """`at`: seconds since the epoch, by the sandbox's clock."""
    style = fault.style or ("plain" if fault.retry_after is None else "full")
    wait = _RESET_AFTER if fault.retry_after is None else fault.retry_after
    if style == "plain":
        return text_answer(429, "Retry later\n")
    if style == "json":
        return json_answer(429, {"message": {"error": _TOO_MANY}})
    reset = {"RateLimit-Reset": str(int(at) + wait)}
    return limited("issues_create", headers=reset if style == "reset" else _all(reset, wait))


def limited(name: str, *, headers: dict[str, str]) -> Answer:
    """A service's own limit: JSON, and what headers there are."""
    named = headers | {"RateLimit-Name": name} if len(headers) > 1 else headers
    return json_answer(429, {"message": {"error": _TOO_MANY}}, headers=named)


def server_error() -> Answer:
    return json_answer(500, {"message": "500 Internal Server Error"})


def gateway(fault: Fault) -> Answer:
    """A page of the proxy before the application, not of the application."""
    status = fault.status or 502
    return html_answer(status, f"<html><body><h1>{status}</h1><hr>nginx</body></html>")


def unavailable() -> Answer:
    return html_answer(503, "<html><body><h1>503 Service Unavailable</h1></body></html>")


def login_page() -> Answer:
    return html_answer(200, _LOGIN_PAGE)


def broken(answer: Answer) -> Answer:
    """Whole by its length, and not JSON."""
    return replace(answer, body=answer.body[: len(answer.body) // 2])


def foreign(answer: Answer) -> Answer:
    """A good answer about another issue."""
    value = json.loads(answer.body)
    other = {"iid": value["iid"] + 1000, "id": value["id"] + 1000, "description": "outra"}
    return replace(answer, body=json.dumps(value | other).encode())


def _all(reset: dict[str, str], wait: int) -> dict[str, str]:
    return {
        "Retry-After": str(wait),
        "RateLimit-Limit": "300",
        "RateLimit-Observed": "301",
        "RateLimit-Remaining": "0",
        **reset,
    }
