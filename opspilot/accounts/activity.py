"""Keeps "last seen" of a session, at most once in a while: not a write at every request."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from django.db import connection
from django.http import HttpRequest, HttpResponse

from opspilot.accounts.address import client_address

EVERY = dt.timedelta(minutes=5)
# In our own words: composed by Django anew at every request, it would cost more than it does.
_SEEN = """
UPDATE usersessions_usersession SET last_seen_at = statement_timestamp(), ip = %s
 WHERE session_key = %s AND last_seen_at < statement_timestamp() - %s * interval '1 s'
"""


class SessionActivityMiddleware:
    """Before TenantMiddleware: nothing here belongs to a tenant's transaction."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated and request.session.session_key:
            with connection.cursor() as cursor:
                session, seconds = request.session.session_key, EVERY.total_seconds()
                cursor.execute(_SEEN, [client_address(request), session, seconds])
        return self.get_response(request)
