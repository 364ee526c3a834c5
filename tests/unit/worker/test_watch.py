"""A worker that lives and does nothing is noticed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from opspilot.worker import watch

LOOK = 0.001
FOR_LONG = 40 * LOOK


def ends(count: Callable[[], int], within: float) -> bool:
    async def watched() -> bool:
        try:
            await asyncio.wait_for(watch.until_silent(count, look=LOOK), within)
        except TimeoutError:
            return False
        return True

    return asyncio.run(watched())


def test_a_sweep_that_stands_still_ends_the_watch() -> None:
    assert ends(lambda: 7, within=30.0)


def test_a_sweep_that_keeps_coming_does_not() -> None:
    beats = iter(range(1_000_000))
    assert not ends(lambda: next(beats), within=FOR_LONG)


def test_one_beat_in_time_begins_the_count_again() -> None:
    looks: list[int] = []

    def late() -> int:
        looks.append(len(looks))
        return len(looks) // watch.MOST_SILENT_LOOKS if len(looks) < 100 else 0

    assert ends(late, within=30.0)
    assert len(looks) > 100


def test_the_sweep_is_what_is_counted() -> None:
    before = watch.sweeps()
    watch.note_sweep()
    assert watch.sweeps() == before + 1
