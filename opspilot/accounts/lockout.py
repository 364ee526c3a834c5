"""When a door closes after failed logins. Kept by django-axes' tables, decided here.

A browser the person has logged in with before carries a cookie that says so (accounts/devices.py).
It has a count of its own, and only that one: what strangers try, from anywhere, the same office
included, never locks it. Everybody else is limited three ways, each by failures within COOL_OFF of
one another:

    person and address   5    guessing one account
    address             50    guessing many accounts; an office behind one address has room
    person, everywhere 100    guessing one account from many addresses: at least twenty

A locked attempt is not tried, does not count and does not prolong the lock. A success clears its
own pair only, so a guesser's own account does not clear their address.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db import connection
from django.db.models import Q, Sum
from django.db.models.functions import Now
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from opspilot.accounts import devices
from opspilot.accounts.security_log import log
from opspilot.tenancy.models import User

COOL_OFF = dt.timedelta(minutes=15)
PER_PERSON_AND_ADDRESS = 5
PER_ADDRESS = 50
PER_PERSON = 100
PER_DEVICE = 5

_COUNT = """
INSERT INTO axes_accessattempt AS a (username, ip_address, user_agent, attempt_time,
       failures_since_start, http_accept, path_info, get_data, post_data)
VALUES (%(name)s, %(address)s, %(device)s, clock_timestamp(), 1, '', '', '', '')
ON CONFLICT (username, ip_address, user_agent) DO UPDATE SET
   failures_since_start = CASE WHEN a.attempt_time < clock_timestamp() - %(cool_off)s THEN 1
                               ELSE a.failures_since_start + 1 END,
   attempt_time = clock_timestamp()
"""


class LockoutHandler(AxesDatabaseHandler):  # type: ignore[misc]
    """Of a request nothing is stored but the account's name, the address and the device."""

    def is_locked(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        device = _device(request, credentials)
        name, address = key_of(request, credentials), request.axes_ip_address  # type: ignore[attr-defined]
        if device:
            return _failures(Q(username=name, user_agent=device)) >= PER_DEVICE
        strange = Q(user_agent="")
        return (
            _failures(strange & Q(username=name, ip_address=address)) >= PER_PERSON_AND_ADDRESS
            or _failures(strange & Q(ip_address=address)) >= PER_ADDRESS
            or _failures(strange & Q(username=name)) >= PER_PERSON
        )

    def user_login_failed(
        self,
        sender: Any,
        credentials: dict[str, Any],
        request: HttpRequest | None = None,
        **kwargs: Any,
    ) -> None:
        if request is None:
            return
        name = key_of(request, credentials)
        known = "" if name.startswith("?") else name
        if request.axes_locked_out:  # type: ignore[attr-defined]
            log.warning("login while locked", user=known, address=request.axes_ip_address)  # type: ignore[attr-defined]
            return
        _count(request, name, _device(request, credentials))
        log.warning("login failed", user=known, address=request.axes_ip_address)  # type: ignore[attr-defined]
        if self.is_locked(request, credentials):
            request.axes_locked_out = True  # type: ignore[attr-defined]

    def user_logged_in(self, sender: Any, request: HttpRequest, user: User, **kwargs: Any) -> None:
        name, address = user.get_username(), request.axes_ip_address  # type: ignore[attr-defined]
        mine = Q(ip_address=address, user_agent="")
        if device := devices.key(request, user):  # none yet: the count of strangers stays
            mine |= Q(user_agent=device)
        AccessAttempt.objects.filter(mine, username=name).delete()
        AccessAttempt.objects.filter(attempt_time__lt=Now() - COOL_OFF).delete()
        log.info("login", user=name, address=address)

    def user_logged_out(
        self, sender: Any, request: HttpRequest, user: User | None, **k: Any
    ) -> None:
        if user is not None:
            log.info("logout", user=user.get_username())


def key_of(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """The account's own name, however it was typed; of a name that is no account's only a digest,
    for it may be a password in the wrong field."""
    typed = str((credentials or {}).get("username") or "")
    user = _user(request, typed)
    if user is not None:
        return user.get_username()
    digest = salted_hmac("lockout", typed.lower(), secret=settings.OPSPILOT_HMAC_KEY)
    return "?" + digest.hexdigest()[:32]


def forget(user: User) -> None:
    """Open every door of this person: they have proved who they are by other means."""
    AccessAttempt.objects.filter(username=user.get_username()).delete()


def _user(request: HttpRequest, typed: str) -> User | None:
    known: dict[str, User | None] = request.__dict__.setdefault("_lockout_users", {})
    if typed not in known:
        found = list(User.objects.filter(username__iexact=typed)[:2]) if typed else []
        known[typed] = found[0] if len(found) == 1 else None
    return known[typed]


def _device(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    user = _user(request, str((credentials or {}).get("username") or ""))
    return devices.key(request, user) if user is not None else ""


def _failures(which: Q) -> int:
    recent = AccessAttempt.objects.filter(which, attempt_time__gte=Now() - COOL_OFF)
    return int(recent.aggregate(n=Sum("failures_since_start"))["n"] or 0)


def _count(request: HttpRequest, name: str, device: str) -> None:
    address = request.axes_ip_address  # type: ignore[attr-defined]
    values = {"name": name, "address": address, "device": device, "cool_off": COOL_OFF}
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, values)
