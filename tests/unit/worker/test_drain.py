"""A drain takes what is in nobody's hands, and what belongs together at once."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest

from opspilot.worker import tasks
from opspilot.worker.tasks import Due

ONE, OTHER = uuid.UUID(int=1), uuid.UUID(int=2)


@pytest.fixture(autouse=True)
def no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "close_old_connections", lambda: None)
    monkeypatch.setattr(tasks, "wake", lambda _kind: None)


def looks(monkeypatch: pytest.MonkeyPatch, rows: list[Due]) -> list[list[Due]]:
    """The answers that the looks have had; what is taken out of `rows` is due no more."""
    given: list[list[Due]] = []

    def due(_kind: str, limit: int) -> list[Due]:
        given.append(rows[:limit])
        return given[-1]

    monkeypatch.setattr(tasks, "due", due)
    return given


def work(
    monkeypatch: pytest.MonkeyPatch, rows: list[Due], *, held: frozenset[int] = frozenset()
) -> Callable[[uuid.UUID, int], bool]:
    def advance(tenant_id: uuid.UUID, row: int) -> bool:
        if row in held:
            return False
        rows.remove((tenant_id, row))
        return True

    monkeypatch.setitem(tasks._DO, "execution", advance)
    return advance


def test_after_each_effect_the_order_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[Due] = [(ONE, number) for number in range(3)]
    given = looks(monkeypatch, rows)
    work(monkeypatch, rows)
    tasks.drain("execution")
    assert [len(found) for found in given] == [3, 2, 1, 0]


def test_an_effect_in_another_lane_s_hands_costs_no_look_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows: list[Due] = [(ONE, 1), (ONE, 2)]
    given = looks(monkeypatch, rows)
    work(monkeypatch, rows, held=frozenset({1}))
    tasks.drain("execution")
    assert (rows, len(given)) == ([(ONE, 1)], 2)


def test_many_that_cannot_be_taken_hide_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than a drain's rows, as a worker of the release before finds them."""
    woken: list[str] = []
    rows: list[Due] = [(ONE, number) for number in range(30)]
    looks(monkeypatch, rows)
    monkeypatch.setattr(tasks, "MOST_ROWS", 10)
    monkeypatch.setattr(tasks, "wake", woken.append)
    work(monkeypatch, rows, held=frozenset(range(29)))
    tasks.drain("execution")
    assert ((ONE, 29) in rows, woken) == (False, [])


def test_what_is_told_of_one_company_is_told_together(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[Due] = [(ONE, 1), (OTHER, 2), (ONE, 3)]
    told: list[tuple[uuid.UUID, list[int]]] = []

    def together(tenant_id: uuid.UUID, numbers: list[int]) -> None:
        told.append((tenant_id, numbers))

    looks(monkeypatch, rows)
    monkeypatch.setitem(tasks._TOGETHER, "telling", together)
    tasks.drain("telling")
    assert told == [(ONE, [1, 3]), (OTHER, [2])]


def test_one_that_cannot_be_told_holds_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []

    def together(_tenant_id: uuid.UUID, _numbers: list[int]) -> None:
        raise OverflowError

    def alone(_tenant_id: uuid.UUID, number: int) -> None:
        if number == 1:
            raise OverflowError
        told.append(number)

    looks(monkeypatch, [(ONE, 1), (ONE, 2)])
    monkeypatch.setitem(tasks._TOGETHER, "telling", together)
    monkeypatch.setitem(tasks._DO, "telling", alone)
    tasks.drain("telling")
    assert told == [2]
