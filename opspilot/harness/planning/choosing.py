"""Which planner a run gets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from opspilot.harness.planning.port import Planner
from opspilot.harness.planning.rules import RulePlanner

_standing_in: list[Planner] = []


def planner() -> Planner:
    return _standing_in[-1] if _standing_in else RulePlanner()


@contextmanager
def standing_in(one: Planner) -> Iterator[None]:
    """The whole process plans by `one`, also its other threads: for an evaluation."""
    _standing_in.append(one)
    try:
        yield
    finally:
        _standing_in.pop()
