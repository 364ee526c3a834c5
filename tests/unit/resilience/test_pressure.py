"""Levels rise when looks in a row ask for it, fall later and lower, and never swing with each look."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from pytest_django import Settings

from opspilot.resilience import pressure
from opspilot.resilience.pressure import Standing


def levels(figures: Iterable[float], *, of: int = 0) -> list[int]:
    """The level after each look."""
    standing, found = Standing(of), []
    for figure in figures:
        standing = pressure.after(standing, figure)
        found.append(standing.level)
    return found


def test_one_look_changes_nothing() -> None:
    assert levels([9.0, 0.0, 9.0, 0.0]) == [0, 0, 0, 0]


def test_two_looks_in_a_row_enter_the_level_they_ask_for() -> None:
    assert levels([0.5, 0.5]) == [0, 1]
    assert levels([1.0, 1.0]) == [0, 2]
    assert levels([4.0, 4.0]) == [0, 3]


def test_a_level_is_left_after_four_looks_at_half_its_threshold() -> None:
    assert levels([0.4] * 4, of=2) == [2, 2, 2, 1]
    assert levels([0.1] * 8, of=2) == [2, 2, 2, 0, 0, 0, 0, 0]


def test_between_the_two_thresholds_nothing_moves() -> None:
    assert levels([0.99] * 20, of=2) == [2] * 20
    assert levels([0.49] * 20, of=0) == [0] * 20


def test_a_figure_that_swings_around_a_threshold_opens_and_closes_no_door() -> None:
    found = levels([1.1, 1.1] + [0.9, 1.1] * 50)
    assert found == [0] + [2] * 101


def test_looks_that_disagree_begin_the_count_again() -> None:
    assert levels([0.2, 0.2, 0.2, 0.8, 0.2, 0.2, 0.2], of=1) == [1] * 7


def test_full_slots_alone_keep_no_question_outside() -> None:
    assert levels([pressure.utilisation(1.0, 0.0)] * 50)[-1] == 2


def test_an_installation_may_shed_nothing(settings: Settings) -> None:
    settings.OPSPILOT_SHED_SECONDS = 0.0
    assert pressure.utilisation(1.0, 10_000.0) == 0.0


@pytest.mark.parametrize(("seconds", "level"), [(14.9, 0), (15.0, 1), (30.0, 2), (120.0, 3)])
def test_the_wait_counts_in_the_seconds_of_the_setting(
    settings: Settings, seconds: float, level: int
) -> None:
    settings.OPSPILOT_SHED_SECONDS = 30.0
    assert levels([pressure.utilisation(0.0, seconds)] * 2)[-1] == level
