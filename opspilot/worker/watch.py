"""Notices that the worker lives and does nothing: a lane can lose its database and hear of it never.

The sweep comes every five seconds whatever else there is to do. When it has not come for many looks,
the process must end: whoever started it starts it again, and leases bring back what was in hand.
Looks are counted and not seconds, so a process that was stopped for an hour has missed none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

LOOK = 5.0  # seconds
MOST_SILENT_LOOKS = 6

_sweeps = 0


def note_sweep() -> None:
    """Called by the sweep, in whatever thread it runs."""
    global _sweeps
    _sweeps += 1


def sweeps() -> int:
    return _sweeps


async def until_silent(count: Callable[[], int] = sweeps, *, look: float = LOOK) -> None:
    """Return when the sweep has stood still for too many looks."""
    seen, silent = count(), 0
    while silent < MOST_SILENT_LOOKS:
        await asyncio.sleep(look)
        silent = silent + 1 if count() == seen else 0
        seen = count()
