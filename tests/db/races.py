"""Several acts at the same instant, each in a thread and on a connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from django.db import connections

T = TypeVar("T")


def at_once(acts: Sequence[Callable[[], T]]) -> list[T | Exception]:
    """What each act returned or raised, in no order. Needs the `committed` fixture."""
    barrier = threading.Barrier(len(acts), timeout=10)
    outcomes: list[T | Exception] = []

    def run(act: Callable[[], T]) -> None:
        try:
            connections["default"].ensure_connection()
            barrier.wait()
            outcomes.append(act())
        except Exception as exc:  # noqa: BLE001 - whatever was raised is the outcome
            outcomes.append(exc)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=[act]) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    return outcomes
