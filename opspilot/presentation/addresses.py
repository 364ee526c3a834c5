"""What an address says, read strictly: anybody may have written it."""

from __future__ import annotations

from urllib.parse import urlsplit


def whole_number(text: str | None, *, most: int = 999_999_999) -> int | None:
    """A whole number from 0 to `most` in ASCII digits; None for anything else, also for digits of
    another script, which look like a number and are none."""
    if not text or not text.isascii() or not text.isdigit() or len(text) > len(str(most)):
        return None
    number = int(text)
    return number if number <= most else None


def came_from(referrer: str, *, host: str, under: str, here: str) -> str:
    """The address, with what it asked for, of the page that led here, where that is one of ours
    `under` this path and not the page itself; else "". What a browser claims is only ever a way
    back, never a right."""
    try:
        parts = urlsplit(referrer)
    except ValueError:
        return ""
    ours = parts.scheme in {"http", "https"} and parts.netloc == host
    if not ours or parts.path == here or not parts.path.startswith(under):
        return ""
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
