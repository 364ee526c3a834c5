"""When a notice leaves. Pure: the moment and the deadline come in.

What is of high risk leaves at once, what is of medium risk after a pause in which somebody may have
decided, what is of low risk gathers in one letter an hour.
"""

from __future__ import annotations

import datetime as dt

from opspilot.notices.models import Kind, Urgency

WARN_BEFORE = dt.timedelta(minutes=15)
PAUSE = dt.timedelta(minutes=5)
# A digest goes out on the full hour; sooner where the deadline would not wait for it.
SLOTS = tuple(dt.timedelta(minutes=minutes) for minutes in (60, 15, 5))
_GATHERED = frozenset({Kind.PENDENTE, Kind.ALERTA, Kind.ESCALADA})


def warn_at(*, created: dt.datetime, expires: dt.datetime) -> dt.datetime:
    """At three quarters of the time or a quarter of an hour before its end, whichever comes first;
    of a short time never before its half."""
    whole = expires - created
    return max(created + whole * 0.5, min(created + whole * 0.75, expires - WARN_BEFORE))


def plan(
    *, kind: Kind, risk: str, now: dt.datetime, deadline: dt.datetime
) -> tuple[Urgency, dt.datetime]:
    """For people: whether it goes alone or in the digest, and when."""
    if kind in _GATHERED and risk == "baixo":
        return Urgency.RESUMO, digest_at(now=now, deadline=deadline)
    if kind == Kind.PENDENTE and risk == "medio" and now + 2 * PAUSE < deadline:
        return Urgency.AGORA, now + PAUSE
    return Urgency.AGORA, now


def digest_at(*, now: dt.datetime, deadline: dt.datetime) -> dt.datetime:
    """The next full hour, or the next quarter or five minutes where an hour is too late; else now."""
    for slot in SLOTS:
        at = _next(now, slot)
        if at + PAUSE <= deadline:
            return at
    return now


def _next(now: dt.datetime, slot: dt.timedelta) -> dt.datetime:
    hour = now.replace(minute=0, second=0, microsecond=0)
    return hour + slot * ((now - hour) // slot + 1)
