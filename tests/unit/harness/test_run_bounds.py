"""How far a run goes, and which bound ends it."""

from __future__ import annotations

import pytest

from opspilot.harness.planning.port import Outcome, Taken
from opspilot.harness.running.bounds import DEADLINE, STEPS, UNREADABLE, Bounds

BOUNDS = Bounds(steps=3, seconds=10.0, invalid=2)


def taken(*outcomes: Outcome) -> list[Taken]:
    return [Taken(None, outcome) for outcome in outcomes]


@pytest.mark.parametrize(
    ("outcomes", "seconds", "code"),
    [
        ((), 0.0, ""),
        (("done", "refused"), 9.9, ""),
        (("done", "refused", "done"), 0.0, STEPS),
        (("invalid",), 0.0, ""),
        (("invalid", "invalid"), 0.0, UNREADABLE),
        (("invalid", "done", "invalid"), 0.0, UNREADABLE),
        ((), 10.0, DEADLINE),
    ],
)
def test_the_first_bound_that_is_reached_ends_the_run(
    outcomes: tuple[Outcome, ...], seconds: float, code: str
) -> None:
    assert BOUNDS.reached(taken(*outcomes), seconds) == code


@pytest.mark.parametrize(("count", "left"), [(0, 3), (2, 1), (3, 0), (5, 0)])
def test_the_planner_is_told_how_many_steps_are_left(count: int, left: int) -> None:
    assert BOUNDS.left([Taken(None, "done")] * count) == left
