"""Keeps "last seen" of a session, at most once in a while: not a write at every request."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from allauth.usersessions.models import UserSession
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse

from opspilot.accounts.address import client_address

EVERY = dt.timedelta(minutes=5)


class SessionActivityMiddleware:
    """Before TenantMiddleware: nothing here belongs to a tenant's transaction."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated and request.session.session_key:
            stale = UserSession.objects.filter(
                session_key=request.session.session_key, last_seen_at__lt=Now() - EVERY
            )
            stale.update(last_seen_at=Now(), ip=client_address(request))
        return self.get_response(request)
