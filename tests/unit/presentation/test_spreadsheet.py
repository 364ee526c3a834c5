"""CSV that a Brazilian Excel opens as it is, and in which no text becomes a formula."""

from __future__ import annotations

import csv
import io

import pytest

from opspilot.presentation.spreadsheet import csv_for_excel, neutral


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\x00=1", "＝1", '"=1', " =1", "'=1"],
)
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert str(neutral(text)).startswith("'")


@pytest.mark.parametrize("text", ["aprovador 1", "", "1-1", "a=b", "R$ 10"])
def test_an_innocent_text_stays_as_it_is(text: str) -> None:
    assert neutral(text) == text


def test_a_number_stays_a_number() -> None:
    assert neutral(-5) == -5


def test_no_null_character_is_written() -> None:
    assert "\x00" not in str(neutral("a\x00b"))


def test_the_file_has_a_mark_semicolons_and_every_cell_back() -> None:
    data = csv_for_excel(["Pessoa", "Nota"], [["ação; 1", 'diz "sim"'], ["b\nc", 3]])
    assert data.startswith(b"\xef\xbb\xbf")
    text = data.decode("utf-8-sig")
    assert text.endswith("\r\n")
    found = list(csv.reader(io.StringIO(text, newline=""), delimiter=";"))
    assert found == [["Pessoa", "Nota"], ["ação; 1", 'diz "sim"'], ["b\nc", "3"]]
