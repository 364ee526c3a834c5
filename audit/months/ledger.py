"""The ledger of the months that went: one signed line per company and month, written before anything
is removed. The check of the seals takes an absence for lawful only where a line proves it."""

from __future__ import annotations

import datetime as dt

from audit.models import TrailExpiry
from audit.months import catalogue


def lines(*, using: str = "default") -> list[TrailExpiry]:
    """The lines of the scope's company, oldest month first, gone or about to go."""
    return list(TrailExpiry.objects.using(using).order_by("month"))


def line_of(month: dt.date) -> TrailExpiry | None:
    return TrailExpiry.objects.filter(month=month).first()


def gone(*, using: str = "default") -> list[TrailExpiry]:
    """The lines whose month is no longer attached: what a reader can no longer be shown. A month
    that a hold kept after its line was written is still there, and is not among them."""
    told = lines(using=using)
    there = set(catalogue.months_of(using=using)) if told else ()
    return [line for line in told if line.month not in there]
