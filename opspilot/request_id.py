"""A request id on every response, log line and trail row."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import structlog
from django.http import HttpRequest, HttpResponse

_CURRENT: ContextVar[str] = ContextVar("request_id", default="")
# A UUID with or without hyphens and nothing freer: the id is kept in the trail, and a header must
# not carry a document number into it (I9).
_ACCEPTED = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}")


def current() -> str:
    """The id of the request (or job) being served; empty outside one."""
    return _CURRENT.get()


@contextmanager
def job(name: str) -> Iterator[None]:
    """A piece of the worker's work has an id like a request: its name and a random part."""
    token = _CURRENT.set(f"{name}-{uuid.uuid4().hex[:12]}")
    with structlog.contextvars.bound_contextvars(request_id=_CURRENT.get()):
        try:
            yield
        finally:
            _CURRENT.reset(token)


class RequestIdMiddleware:
    """Takes a well-formed incoming X-Request-ID, else makes one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if _ACCEPTED.fullmatch(given) else uuid.uuid4().hex
        token = _CURRENT.set(request_id)
        structlog.contextvars.bind_contextvars(request_id=request_id)
        try:
            response = self.get_response(request)
        finally:
            structlog.contextvars.clear_contextvars()
            _CURRENT.reset(token)
        response["X-Request-ID"] = request_id
        return response
