"""When a saved report runs next. Pure: days and hours are those of the installation's zone."""

from __future__ import annotations

import datetime as dt

from audit.models import Schedule

_DAY = dt.timedelta(days=1)


def next_run(
    schedule: str, *, hour: int, after: dt.datetime, zone: dt.tzinfo
) -> dt.datetime | None:
    """The first moment of the schedule behind `after`; None where it has none. However many were
    missed, the next is one."""
    if schedule == Schedule.NONE:
        return None
    day = after.astimezone(zone).date()
    while not (_is_day(schedule, day) and _at(day, hour, zone) > after):
        day += _DAY
    return _at(day, hour, zone)


def _is_day(schedule: str, day: dt.date) -> bool:
    match schedule:
        case Schedule.WEEKLY:
            return day.weekday() == 0
        case Schedule.MONTHLY:
            return day.day == 1
    return True


def _at(day: dt.date, hour: int, zone: dt.tzinfo) -> dt.datetime:
    """In UTC, so that two of them are told apart by the instant: an hour that a change of the clock
    leaves out is the one behind it."""
    return dt.datetime.combine(day, dt.time(hour), tzinfo=zone).astimezone(dt.UTC)
