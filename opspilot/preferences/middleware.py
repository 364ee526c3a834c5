"""The person's language and zone, for the views and for the pages that say something failed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from opspilot.tenancy.models import User
from opspilot.tenancy.preferences import Preferences


class PreferencesMiddleware:
    """Around RefusalMiddleware, so that a refusal is told like any other page. The person's
    language wins over the browser's, which LocaleMiddleware has found by now."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        wanted = user.preferences if isinstance(user, User) else Preferences()
        request.preferences = wanted  # type: ignore[attr-defined]
        with ExitStack() as stack:
            if wanted.language:
                stack.enter_context(translation.override(wanted.language))
                request.LANGUAGE_CODE = wanted.language
            if wanted.zone is not None:
                stack.enter_context(timezone.override(wanted.zone))
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language() or "")
        return response
