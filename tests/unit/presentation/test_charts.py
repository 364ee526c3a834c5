from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.template import Context, Template
from django.utils import translation

from opspilot.presentation.charts import NegativeValueError, bars, line
from opspilot.presentation.shapes import Point

POINTS = [Point("8 h", 1500), Point("9 h", None), Point("10 h", 750)]


@pytest.fixture(autouse=True)
def portuguese() -> Iterator[None]:
    with translation.override("pt-br"):
        yield


def _drawn(tag: str, points: list[Point], **more: str) -> str:
    words = " ".join(f'{name}="{value}"' for name, value in more.items())
    source = f'{{% load charts %}}{{% {tag} points "Por hora" "Hora" "Propostas" {words} %}}'
    return Template(source).render(Context({"points": points}))


def test_a_line_runs_from_edge_to_edge_and_from_zero_up() -> None:
    assert line([0, 10], width=100, height=24).path == "M2 22L98 2"


def test_the_upper_edge_is_the_highest_value() -> None:
    assert line([3, 12, 7], width=100, height=24).top == 12


def test_an_empty_series_draws_nothing() -> None:
    assert line([], width=100, height=24).path == ""


def test_one_point_is_a_dot_in_the_middle() -> None:
    assert line([5], width=100, height=24).path == "M50 2h0"


def test_all_zero_lies_on_the_lower_edge() -> None:
    assert line([0, 0, 0], width=100, height=24).path == "M2 22L50 22L98 22"


def test_a_missing_value_lifts_the_pen() -> None:
    assert line([1, 1, None, 1, 1], width=100, height=24).path == "M2 2L26 2M74 2L98 2"


def test_a_value_between_two_gaps_is_a_dot() -> None:
    assert line([None, 1, None], width=100, height=24).path == "M50 2h0"


def test_a_series_of_gaps_draws_nothing() -> None:
    assert line([None, None], width=100, height=24).path == ""


def test_a_negative_value_is_refused_by_a_line() -> None:
    with pytest.raises(NegativeValueError):
        line([1, -1], width=100, height=24)


def test_a_negative_value_is_refused_by_bars() -> None:
    with pytest.raises(NegativeValueError):
        bars([-0.5], width=100)


def test_the_longest_bar_takes_the_whole_width() -> None:
    assert bars([10, 5, 0], width=100) == ["100", "50", "0"]


def test_a_known_total_is_the_whole_width() -> None:
    assert bars([10], width=100, top=40) == ["25"]


def test_a_bar_beyond_the_total_is_cut_at_the_width() -> None:
    assert bars([50], width=100, top=40) == ["100"]


def test_bars_of_zeros_have_no_length() -> None:
    assert bars([0, 0], width=100) == ["0", "0"]


def test_a_gap_has_no_bar() -> None:
    assert bars([None, 4], width=100) == [None, "100"]


@pytest.mark.parametrize("tag", ["bar_chart", "line_chart", "spark"])
def test_a_chart_has_a_table_with_every_number(tag: str) -> None:
    html = _drawn(tag, POINTS)
    assert "1.500</td>" in html
    assert "750</td>" in html


@pytest.mark.parametrize("tag", ["bar_chart", "line_chart", "spark"])
def test_the_table_says_where_nothing_was_measured(tag: str) -> None:
    assert "sem dados</td>" in _drawn(tag, POINTS)


@pytest.mark.parametrize("tag", ["bar_chart", "line_chart", "spark"])
def test_the_drawing_is_hidden_from_screen_readers_and_has_no_style(tag: str) -> None:
    html = _drawn(tag, POINTS)
    assert '<svg class="' in html
    assert html.count("<svg") == html.count('aria-hidden="true" viewBox')
    assert "style=" not in html


@pytest.mark.parametrize("tag", ["bar_chart", "line_chart", "spark"])
def test_an_empty_chart_says_so(tag: str) -> None:
    html = _drawn(tag, [])
    assert "Sem dados neste período." in html
    assert "<svg" not in html


def test_numbers_follow_the_language() -> None:
    with translation.override("en"):
        assert "1,500</td>" in _drawn("bar_chart", POINTS)


def test_money_is_written_as_money() -> None:
    assert "R$ 15,00</td>" in _drawn("line_chart", POINTS, kind="centavos")
