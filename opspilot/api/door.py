"""The agents' door: everything under /api/, answered before sessions, cookies and forms exist.

Its addresses are in a table of their own, which only this middleware reads: nothing reaches them
without having been let in. The one page, /api/v1/docs, is the console's.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.urls import resolve
from django.utils import timezone, translation

from opspilot.api import acts, entry, problems
from opspilot.api.description import schema
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
        # The thread may still have the language and the zone of the person it served before.
        with translation.override(settings.LANGUAGE_CODE), timezone.override(None):
            response = _answer(request)
        response["Cache-Control"] = "no-store"
        return response


def _answer(request: HttpRequest) -> HttpResponse:
    try:
        response = _reply(request)
    except Exception as exc:  # noqa: BLE001 - whatever happens, an agent gets a problem, no page
        return problems.answer(request, exc)
    if isinstance(response, HttpResponseNotAllowed):
        refused = problems.answer(request, WrongMethodError())
        refused["Allow"] = response["Allow"]
        return refused
    return response


def _reply(request: HttpRequest) -> HttpResponse:
    request.get_host()  # else only the console's middleware would refuse a foreign Host
    if request.path_info == SCHEMA and request.method in {"GET", "HEAD"}:
        return JsonResponse(schema())
    visitor = entry.admit(request)
    match = resolve(request.path_info, ADDRESSES)
    _refuse_unreadable(request)
    if request.method != "POST" or request.path_info in SCOPES_OF_THEIR_OWN:
        answer: HttpResponse = match.func(visitor, *match.args, **match.kwargs)
        return answer
    return acts.once(visitor, lambda: match.func(visitor, *match.args, **match.kwargs))


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
