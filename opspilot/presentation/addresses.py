"""What an address says, read strictly: anybody may have written it."""

from __future__ import annotations


def whole_number(text: str | None, *, most: int = 999_999_999) -> int | None:
    """A whole number from 0 to `most` in ASCII digits; None for anything else, also for digits of
    another script, which look like a number and are none."""
    if not text or not text.isascii() or not text.isdigit() or len(text) > len(str(most)):
        return None
    number = int(text)
    return number if number <= most else None
