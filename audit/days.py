"""Whole days as moments: where one begins depends on whose clock it is of."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone


def of(moment: dt.datetime) -> dt.date:
    """The day of a moment by the installation's zone: the one that costs and budgets count by."""
    return timezone.localtime(moment, timezone.get_default_timezone()).date()


def midnight(day: dt.date) -> dt.datetime:
    """The first instant of the day by the installation's zone, in which reports and samples count."""
    return dt.datetime.combine(day, dt.time(), tzinfo=timezone.get_default_timezone())


def readers_midnight(day: dt.date) -> dt.datetime:
    """The same by the zone of whoever reads: the days under which a history stands."""
    return dt.datetime.combine(day, dt.time(), tzinfo=timezone.get_current_timezone())


def after(day: dt.date) -> dt.date:
    """The next day: a last day is whole, so what is asked for ends where that one begins."""
    return day + dt.timedelta(days=1)
