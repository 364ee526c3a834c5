"""Letters from the asking to the sending. A view only writes a row; the worker does the rest."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db.models import F, QuerySet
from django.db.models.functions import Now

from opspilot.accounts import letters
from opspilot.accounts.models import MailKind, MailState, OutgoingMail
from opspilot.accounts.security_log import log
from opspilot.connectors import mail
from opspilot.connectors.errors import NotSentError, RefusedByRemoteError
from opspilot.queue import wake
from opspilot.resilience import backoff
from opspilot.tenancy import lease
from opspilot.tenancy.models import User

MAX_ATTEMPTS = 8
FIRST_WAIT, LONGEST_WAIT = 30.0, 3600.0  # seconds: eight tries take about an hour
KEPT = dt.timedelta(days=30)
DAY = dt.timedelta(days=1)
RESET_PAUSE, RESETS_A_DAY = dt.timedelta(minutes=2), 10


def post(*, user: User, kind: MailKind) -> None:
    """Tell a person what happened to their account; one without an address has none to tell."""
    if user.email:
        OutgoingMail.objects.create(user=user, kind=kind)
        wake("mail")


def ask_for_reset(*, users: Sequence[User]) -> None:
    """A row also for an address of no account: both cost the same and look the same from outside.

    Who enters by the company's provider has no password, and a reset would make one: that would
    outlive their leaving the company.
    """
    able: list[User | None] = [u for u in users if u.is_active and u.has_usable_password()]
    for user in able or [None]:
        often = user is not None and _asked_often(user)
        state = MailState.DROPPED if often else MailState.PENDING
        OutgoingMail.objects.create(user=user, kind=MailKind.RESET, state=state)
    wake("mail")


def _asked_often(user: User) -> bool:
    """A letter is on its way already, or the day has had enough of them."""
    letters = OutgoingMail.objects.filter(user=user, kind=MailKind.RESET).exclude(
        state=MailState.DROPPED
    )
    lately = letters.filter(created_at__gt=Now() - RESET_PAUSE).exists()
    return lately or letters.filter(created_at__gt=Now() - DAY).count() >= RESETS_A_DAY


def due(limit: int) -> list[int]:
    ready = OutgoingMail.objects.filter(lease.free(), state=MailState.PENDING, next_at__lte=Now())
    return list(ready.order_by("next_at", "id").values_list("pk", flat=True)[:limit])


def advance(*, mail_id: int) -> None:
    """Send one letter, or put it off. Nothing is held open while the mail server is spoken to."""
    row = _claim(mail_id)
    if row is None:
        return
    if row.attempts > MAX_ATTEMPTS:  # whoever held it died each time
        _settle(row, MailState.FAILED)
    elif row.user is None or not row.user.is_active or not row.user.email:
        _settle(row, MailState.DROPPED)
    else:
        _send(row, row.user)


def begin_again(*, mail_id: int) -> bool:
    """Give a letter that could not be delivered its attempts again; False where it did not fail."""
    queued = OutgoingMail.objects.filter(pk=mail_id, state=MailState.FAILED).update(
        state=MailState.PENDING, attempts=0, next_at=Now(), settled_at=None, **lease.RELEASED
    )
    wake("mail")
    return bool(queued)


def last_failure(*, user: User) -> OutgoingMail | None:
    """The latest letter to this person, when it could not be delivered."""
    latest = OutgoingMail.objects.filter(user=user).exclude(state=MailState.PENDING)
    newest = latest.order_by("-id").first()
    return newest if newest is not None and newest.state == MailState.FAILED else None


def _claim(mail_id: int) -> OutgoingMail | None:
    row = OutgoingMail.objects.filter(pk=mail_id).first()
    if row is None:
        return None
    ready = OutgoingMail.objects.filter(
        lease.free(), pk=mail_id, state=MailState.PENDING, next_at__lte=Now()
    )
    if lease.take(ready, seen=row.claim_token, attempts=F("attempts") + 1) is None:
        return None
    return OutgoingMail.objects.select_related("user").get(pk=mail_id)


def _send(row: OutgoingMail, user: User) -> None:
    try:
        mail.send(letters.written(row, user))
    except RefusedByRemoteError:
        _settle(row, MailState.FAILED)
    except NotSentError:
        _put_off(row)
    else:
        _settle(row, MailState.SENT)


def _put_off(row: OutgoingMail) -> None:
    if row.attempts >= MAX_ATTEMPTS:
        _settle(row, MailState.FAILED)
        return
    wait = backoff.exponential(row.attempts, first=FIRST_WAIT, ceiling=LONGEST_WAIT)
    _mine(row).update(next_at=Now() + dt.timedelta(seconds=wait), **lease.RELEASED)


def _settle(row: OutgoingMail, state: MailState) -> None:
    values: dict[str, Any] = {"state": state, "settled_at": Now(), **lease.RELEASED}
    if _mine(row).update(**values) and state == MailState.FAILED:
        log.error("letter not delivered", mail=row.pk, kind=row.kind, attempts=row.attempts)
    OutgoingMail.objects.filter(settled_at__lt=Now() - KEPT).delete()


def _mine(row: OutgoingMail) -> QuerySet[OutgoingMail, OutgoingMail]:
    return OutgoingMail.objects.filter(pk=row.pk, claim_token=row.claim_token)
