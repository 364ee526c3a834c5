"""How much a request may bring, said before a byte of it is read.

Only the upload takes files, and only from somebody with a session: a body that nobody may send would
otherwise be received whole, into a temporary file, before the login page says no.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse

FORM = 3 * 1024 * 1024
"""Bytes of a form: the fields' own limit, and what their encoding adds."""
UPLOAD = "/conhecimento/"


class BodyLimitMiddleware:
    """A chunked body without a length is an empty one here: WSGI gives what was announced."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if _announced(request) > FORM and not _may_upload(request):
            raise RequestDataTooBig
        return self.get_response(request)


def _announced(request: HttpRequest) -> int:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length[:20]) if length.isdecimal() else 0


def _may_upload(request: HttpRequest) -> bool:
    known = settings.SESSION_COOKIE_NAME in request.COOKIES
    return known and request.path.startswith(UPLOAD)
