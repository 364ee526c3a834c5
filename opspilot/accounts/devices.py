"""A cookie that says: with this browser this person has logged in before.

It opens nothing. It only keeps the person's own browser out of the lock-outs that strangers cause
(accounts/lockout.py), and whoever steals it gains a count of five guesses, no more.
"""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from opspilot.tenancy.models import User

COOKIE = "opspilot_device"
SALT = "opspilot.accounts.devices"
AGE = 365 * 24 * 60 * 60


def key(request: HttpRequest, user: User) -> str:
    """Under which this browser's failures for this person are counted; empty for any other."""
    try:
        person, device = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=AGE)
    except (signing.BadSignature, ValueError, TypeError):
        return ""
    return f"device:{device}" if person == user.pk else ""


def remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Mark the browser, unless it is marked for this person already."""
    if key(request, user):
        return
    response.set_cookie(
        COOKIE,
        signing.dumps([user.pk, secrets.token_urlsafe(12)], salt=SALT),
        max_age=AGE,
        path="/conta/",
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )
