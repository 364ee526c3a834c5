"""English for readers anywhere: 30 Nov 2026 11:05:00, never a month that reads as a day."""

from __future__ import annotations

DATE_FORMAT = SHORT_DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i:s"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "j M Y H:i:s"
YEAR_MONTH_FORMAT = "M Y"
MONTH_DAY_FORMAT = "j M"
FIRST_DAY_OF_WEEK = 1  # Monday
# 01/02 is not read at all: half the world would read it the other way round.
DATE_INPUT_FORMATS = ["%Y-%m-%d", "%d %b %Y", "%d %B %Y"]
TIME_INPUT_FORMATS = ["%H:%M:%S", "%H:%M"]
DATETIME_INPUT_FORMATS = [
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%d %b %Y %H:%M:%S",
    "%d %b %Y %H:%M",
]
DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
