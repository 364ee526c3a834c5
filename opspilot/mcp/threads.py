"""The door is synchronous: each piece of it runs in a thread, and leaves no connection behind."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

import anyio
from anyio import to_thread
from django.db import connections

MOST = 16  # at one time in this process; the next ones wait
P = ParamSpec("P")
R = TypeVar("R")
_places = anyio.CapacityLimiter(MOST)


async def in_thread(act: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    return await to_thread.run_sync(
        partial(_leaving_nothing, partial(act, *args, **kwargs)), limiter=_places
    )


def _leaving_nothing(act: Callable[[], R]) -> R:
    try:
        return act()
    finally:
        connections.close_all()
