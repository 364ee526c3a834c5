"""The agents' door: everything under /api/, answered before sessions, cookies and forms exist.

Its addresses are in a table of their own, which only this middleware reads: nothing reaches them
without having been let in. The one page, /api/v1/docs, is the console's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.urls import resolve
from django.utils import timezone, translation

from opspilot.api import acts, entry, problems
from opspilot.api.description import schema
from opspilot.api.entry import DoorRequest
from opspilot.api.errors import (
    BodyTooLargeError,
    UnreadableRequestError,
    WrongContentTypeError,
    WrongMethodError,
)
from opspilot.api.parsing import is_text
from opspilot.api.routes import CONSULT, DOCS, ROOT, SCHEMA

MAX_BODY = 256 * 1024  # bytes
ADDRESSES = "opspilot.api.door_urls"
# Asks a model before it reads: no transaction may be open then, and asked twice it does nothing twice.
SCOPES_OF_THEIR_OWN = frozenset({CONSULT})


class DoorMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        path = request.path_info
        if not path.startswith(ROOT) or path == DOCS:
            return self.get_response(request)
        response = _answer(request, _reply)
        response["Cache-Control"] = "no-store"
        return response


def refusal(request: HttpRequest) -> HttpResponse | None:
    """Why the request is not let in, or None: then `request.visitor` says who came. For the other
    entrance that agents have: this counts in the same minute and leaves the same rows."""
    with _the_installations_words():
        try:
            request.get_host()
            entry.admit(request)
        except Exception as exc:  # noqa: BLE001 - as below
            return problems.answer(request, exc)
    return None


def answer_inside(request: DoorRequest) -> HttpResponse:
    """The answer of an operation to somebody who has been let in. Raises nothing."""
    return _answer(request, lambda _request: _act(request))


def _answer(request: HttpRequest, reply: Callable[[HttpRequest], HttpResponse]) -> HttpResponse:
    with _the_installations_words():
        try:
            response = reply(request)
        except Exception as exc:  # noqa: BLE001 - whatever happens, an agent gets a problem, no page
            return problems.answer(request, exc)
        if isinstance(response, HttpResponseNotAllowed):
            refused = problems.answer(request, WrongMethodError())
            refused["Allow"] = response["Allow"]
            return refused
        return response


@contextmanager
def _the_installations_words() -> Iterator[None]:
    """The thread may still have the language and the zone of the person it served before."""
    with translation.override(settings.LANGUAGE_CODE), timezone.override(None):
        yield


def _reply(request: HttpRequest) -> HttpResponse:
    request.get_host()  # else only the console's middleware would refuse a foreign Host
    if request.path_info == SCHEMA and request.method in {"GET", "HEAD"}:
        return JsonResponse(schema())
    return _act(entry.admit(request))


def _act(request: DoorRequest) -> HttpResponse:
    match = resolve(request.path_info, ADDRESSES)
    _refuse_unreadable(request)
    entry.ask_again(request)  # a body may have come slowly, and who stops an agent means now
    if request.method != "POST" or request.path_info in SCOPES_OF_THEIR_OWN:
        answer: HttpResponse = match.func(request, *match.args, **match.kwargs)
        return answer
    return acts.once(request, lambda: match.func(request, *match.args, **match.kwargs))


def _refuse_unreadable(request: HttpRequest) -> None:
    """Limits and protocol, before a byte of the body is believed."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isascii() or not length.isdecimal():
        raise UnreadableRequestError
    if int(length) > MAX_BODY or len(request.body) > MAX_BODY:
        raise BodyTooLargeError
    if request.body and request.content_type != "application/json":
        raise WrongContentTypeError
    if not all(is_text(text) for pair in request.GET.lists() for text in (pair[0], *pair[1])):
        raise UnreadableRequestError
