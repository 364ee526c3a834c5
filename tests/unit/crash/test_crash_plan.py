"""Which deaths are played, and what the rules alone say of some of them."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.crash import model
from tests.crash.model import Cell, End, Kind
from tests.crash.orders import POINTS

ISSUE, TASK = Kind(resends=True), Kind(resends=False)


def test_the_whole_matrix_is_every_moment_with_every_answer_and_every_way_to_go_on() -> None:
    cells = model.cells()
    assert len(set(cells)) == len(cells) == 12 * 10 * 3


def test_the_sample_has_every_moment_and_answer_three_times_and_each_way_twelve_times() -> None:
    sample = model.sample()
    assert len(set(sample)) == 36
    assert set(Counter(cell.point for cell in sample).values()) == {3}
    assert min(Counter(cell.outcome for cell in sample).values()) == 3
    assert set(Counter(cell.recovery for cell in sample).values()) == {12}


def test_for_tasks_every_moment_meets_every_answer_and_every_way_to_go_on() -> None:
    played = model.rotating()
    assert len({(cell.point, cell.outcome) for cell in played}) == len(played) == 120
    assert len({(cell.point, cell.recovery) for cell in played}) == 12 * 3
    assert len({(cell.outcome, cell.recovery) for cell in played}) == 10 * 3


@pytest.mark.parametrize(
    ("point", "outcome", "issue", "task"),
    [
        ("before_claim", "stored_201", End("concluida", 1, 1), End("concluida", 1, 1)),
        ("after_claim", "refused", End("recusada", 1, 0), End("recusada", 1, 0)),
        ("half_sent", "stored_201", End("concluida", 1, 1), End("desconhecida", 0, 0)),
        ("connected", "refused", End("desconhecida", 1, 0), End("desconhecida", 0, 0)),
        ("sent", "error_stored", End("concluida", 1, 1), End("concluida", 1, 1)),
        ("sent", "error_not_stored", End("concluida", 2, 1), End("desconhecida", 1, 0)),
        ("after_commit", "throttled", End("concluida", 2, 1), End("concluida", 2, 1)),
        ("intent_written", "timeout_not_stored", End("desconhecida", 1, 0), None),
    ],
)
def test_the_rules_say_how_a_death_ends(
    point: str, outcome: str, issue: End, task: End | None
) -> None:
    cell = Cell(point, outcome, "same")
    assert model.predicted(cell, ISSUE) == issue
    assert task is None or model.predicted(cell, TASK) == task


def test_no_end_has_two_effects() -> None:
    ends = [model.predicted(cell, kind) for cell in model.cells() for kind in (ISSUE, TASK)]
    assert {end.effects for end in ends} == {0, 1}


def test_what_a_list_never_shows_is_not_called_done() -> None:
    blind = Kind(resends=False, listed=False)
    end = model.predicted(Cell("sent", "stored_201", "other"), blind)
    assert end == End("desconhecida", 1, 1)


def test_the_moments_are_those_of_the_product() -> None:
    told = (model.UNTOUCHED, model.UNARRIVED, model.UNREAD)
    assert set().union(*told) < set(POINTS)
    assert len(POINTS) == len(set(POINTS)) == 12
