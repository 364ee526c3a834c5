"""What a client sees of an ordered fault."""

from __future__ import annotations

from dataclasses import replace

from opspilot.sandbox.semaphore.faults import Fault, Kind
from opspilot.sandbox.semaphore.messages import Answer, html_answer, json_answer, text_answer

_LOGIN = "<!DOCTYPE html><html><head><title>Login</title></head><body>Login</body></html>"


def instead(fault: Fault) -> Answer:
    """For the kinds that never reach their endpoint."""
    match fault.kind:
        case Kind.REFUSE:
            return _refusal(fault)
        case Kind.THROTTLE:
            return _throttle(fault)
        case Kind.GATEWAY_BEFORE:
            return _gateway(fault.status or 502)
        case Kind.LIST_DOWN:
            return _gateway(503)
    return server_error()


def afterwards(fault: Fault, answer: Answer) -> Answer:
    """The work is done and stored; what the client sees of it is another matter."""
    seen = answer
    match fault.kind:
        case Kind.ERROR_AFTER:
            seen = server_error()
        case Kind.GATEWAY_AFTER:
            seen = _gateway(fault.status or 502)
        case Kind.HTML_200:
            seen = html_answer(200, _LOGIN)
        case Kind.STATUS_200:
            seen = replace(answer, status=200)
        case Kind.BROKEN_BODY:
            seen = replace(answer, body=answer.body[: len(answer.body) // 2])
    return replace(seen, stored_id=answer.stored_id)


def server_error() -> Answer:
    return text_answer(500, "Internal Server Error\n")


def _refusal(fault: Fault) -> Answer:
    status = fault.status or 403
    if fault.body is None:
        return Answer(status)
    if isinstance(fault.body, str):
        return text_answer(status, fault.body)
    return json_answer(status, fault.body)


def _throttle(fault: Fault) -> Answer:
    """Not the remote's own: a proxy's in front of it."""
    wait = {} if fault.retry_after is None else {"Retry-After": str(fault.retry_after)}
    return replace(text_answer(429, "Too Many Requests\n"), headers=wait)


def _gateway(status: int) -> Answer:
    return html_answer(status, f"<html><body><h1>{status}</h1></body></html>")
