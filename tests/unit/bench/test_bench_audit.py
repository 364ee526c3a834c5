"""The arithmetic of the trail's measurements; the measuring itself starts a whole instance."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from opspilot.bench.audit import LEAST, MOST, Found, as_json, growth, rounded, strides
from opspilot.bench.audit_explaining import buffers, is_reading
from opspilot.bench.audit_load import longest

GOOD = dict.fromkeys(MOST, 1.0) | dict.fromkeys(LEAST, 20_000.0) | {
    "insert_stall_ms": 40.0, "insert_quiet_ms": 30.0, "drop_month_ms": 4.0, "export_rows_s": 5e3,
}  # fmt: skip


def told(**changed: Any) -> dict[str, Any]:
    figures = {name: value for name, value in (GOOD | changed).items() if value is not None}
    return as_json(Found(100_000, 40, figures=figures))


def test_nothing_measured_is_not_ok() -> None:
    found = as_json(Found(100_000, 40))
    assert (found["ok"], found["within_limits"], found["verify_rows_s"]) == (False, False, None)


def test_all_within_their_limits_is_said() -> None:
    assert (told()["within_limits"], told()["missed"]) == (True, [])


@pytest.mark.parametrize(
    ("changed", "missed"),
    [
        ({"record_vs_raw_insert": 1.51}, "record_vs_raw_insert"),
        ({"verify_rows_s": 9_999.0}, "verify_rows_s"),
        ({"plan_flips": 2.1}, "plan_flips"),
    ],
)
def test_a_figure_past_its_limit_is_named(changed: dict[str, float], missed: str) -> None:
    assert (told(**changed)["within_limits"], told(**changed)["missed"]) == (False, [missed])


def test_a_figure_that_could_not_be_had_is_null_and_not_within() -> None:
    found = told(export_growth_mb=None)
    assert found["export_growth_mb"] is None
    assert found["missed"] == ["export_growth_mb"]


def test_a_stall_counts_by_what_it_is_longer_than_in_quiet() -> None:
    found = told(insert_stall_ms=95.0, insert_quiet_ms=40.0)
    assert (found["insert_stall_over_quiet_ms"], found["within_limits"]) == (55.0, False)


def test_a_stage_that_failed_is_not_ok() -> None:
    found = as_json(Found(100_000, 40, figures=dict(GOOD), missing=["export: no room"]))
    assert (found["ok"], found["not_measured"]) == (False, ["export: no room"])


def test_the_page_that_grew_most_is_what_counts() -> None:
    found = growth({"first": 100, "deep": 50}, {"first": 110, "deep": 60})
    assert found["growth_buffers_10x"] == 1.2


@pytest.mark.parametrize("rows", [20_000, 100_000, 1_000_000, 10_000_000])
def test_an_entity_never_has_more_rows_than_its_size(rows: int) -> None:
    every = strides(rows)
    assert rows // every["small_every"] <= 2_000
    assert every["large_every"] >= 2
    if rows >= 1_000_000:
        assert rows // every["large_every"] == 200_000
        assert rows // every["middle_every"] == 20_000


def test_the_strides_leave_each_entity_rows_of_its_own() -> None:
    """As the filling chooses: small before large before middle."""
    every = strides(1_000_000)
    owners = Counter(
        "small"
        if n % every["small_every"] == 3
        else "large"
        if n % every["large_every"] == 0
        else "middle"
        if n % every["middle_every"] == 1
        else "other"
        for n in range(1, 100_001)
    )
    assert dict(owners) == {"small": 40, "large": 20_000, "middle": 2_000, "other": 77_960}


def test_the_longest_wait_is_of_a_row_that_was_written_meanwhile() -> None:
    samples = [(0.0, 0.5), (0.9, 0.3), (1.5, 0.02), (2.5, 9.0)]
    assert longest(samples, 1.0, 2.0) == pytest.approx(300)


def test_no_row_written_meanwhile_is_no_short_wait() -> None:
    with pytest.raises(AssertionError, match="no row"):
        longest([(0.0, 0.1)], 1.0, 2.0)


@pytest.mark.parametrize(
    ("sql", "reads"),
    [
        ("-- about agente_acao\nSELECT id FROM agente_acao", True),
        ("SELECT id FROM entity", False),
        ("WITH line AS (INSERT INTO agente_acao DEFAULT VALUES) SELECT 1", False),
        ("INSERT INTO agente_acao DEFAULT VALUES", False),
    ],
)
def test_only_what_reads_the_trail_is_asked_twice(sql: str, reads: bool) -> None:
    assert is_reading(sql) is reads


def test_buffers_are_those_found_in_memory_and_those_read() -> None:
    assert buffers('[{"Plan": {"Shared Hit Blocks": 7, "Shared Read Blocks": 2}}]') == 9


def test_figures_keep_the_digits_that_mean_something() -> None:
    assert rounded({"a": 1.23456, "b": [12.345], "c": 12345.6, "d": None}) == {
        "a": 1.235, "b": [12.3], "c": 12346, "d": None,
    }  # fmt: skip
