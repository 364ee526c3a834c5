"""Who was at this browser before the session ended: a signed cookie that opens nothing.

It says whose half-written text an ended session left behind, and in which of their companies the
person was, so that coming back leads to the same place. Logging out takes it away.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

_COOKIE = "opspilot_quem"
_SALT = "opspilot.tenancy.returning"
_MAX_AGE = 7 * 24 * 60 * 60  # seconds; the browser drops it when it closes


@dataclass(frozen=True, slots=True)
class Somebody:
    user_id: int
    tenant_id: UUID


def read(request: HttpRequest) -> Somebody | None:
    text = request.COOKIES.get(_COOKIE, "")
    try:
        user_id, tenant_id = signing.loads(text, salt=_SALT, max_age=_MAX_AGE)
        return Somebody(int(user_id), UUID(tenant_id))
    except (signing.BadSignature, ValueError, TypeError):
        return None


def write(response: HttpResponse, somebody: Somebody) -> None:
    response.set_cookie(
        _COOKIE,
        signing.dumps([somebody.user_id, str(somebody.tenant_id)], salt=_SALT),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def forget(response: HttpResponse) -> None:
    response.delete_cookie(_COOKIE, samesite="Lax")
