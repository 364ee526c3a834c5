"""The arithmetic of the queue's measurements; the measuring itself starts a whole instance."""

from __future__ import annotations

from typing import Any

import pytest

from opspilot.bench.approvals import EMPTY, LISTS, Found, as_json

RATE = {"connections": 1, "service": 60.0, "bare": 100.0, "ratio": 0.6}
RACE = {"acts": 200, "terminal": 20, "double": 0, "lost": 0, "other": 0}


def measured(**inside: Any) -> Found:
    found = Found(pending=5000, requests=20)
    found.seconds = {name: [0.05] * 20 for name in (*LISTS, "detail", "detail deep")}
    found.seconds[EMPTY] = [0.02] * 20
    found.inside = {"queries": {"/aprovacoes/": 11}, "rates": [RATE], "race": RACE} | inside
    return found


def test_nothing_measured_is_not_ok() -> None:
    assert as_json(Found(5000, 20)) == {"ok": False, "pending": 5000}


def test_the_slowest_list_and_the_page_that_asks_most_are_what_is_reported() -> None:
    found = measured(queries={"/a": 9, "/b": 12})
    found.seconds["narrowed"] = [0.09] * 20
    told = as_json(found)
    assert (told["list_p95_ms"], told["queries_per_page"], told["list_vs_empty"]) == (90.0, 12, 2.5)
    assert told["within_limits"] is True


@pytest.mark.parametrize(
    "inside",
    [
        {"queries": {"/a": 13}},
        {"rates": [RATE, RATE | {"ratio": 0.49}]},
        {"race": RACE | {"double": 1}},
        {"race": RACE | {"other": 1}},
    ],
)
def test_one_figure_over_its_limit_is_said(inside: dict[str, Any]) -> None:
    told = as_json(measured(**inside))
    assert (told["ok"], told["within_limits"]) == (True, False)
