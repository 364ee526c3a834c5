"""When a new try makes sense."""

from __future__ import annotations

import datetime as dt

from django.conf import settings

from opspilot.tenancy import clock


def until(seconds: float) -> dt.datetime:
    """`seconds` from now, as the provider said; where it said nothing, when a breaker would try."""
    return clock.now() + dt.timedelta(seconds=seconds or settings.OPSPILOT_BREAKER_SECONDS)
