"""Whether a list of times needs its dates: an hour alone means today."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.utils import timezone

from opspilot.presentation.shapes import Entry


def are_all_on(day: dt.date, entries: Sequence[Entry]) -> bool:
    """Whether every entry falls on this day of the page's zone."""
    return all(timezone.localtime(entry.time).date() == day for entry in entries)


def need_dates(entries: Sequence[Entry]) -> bool:
    """Whether a timeline that stands under no date must show them."""
    return not are_all_on(timezone.localdate(), entries)
