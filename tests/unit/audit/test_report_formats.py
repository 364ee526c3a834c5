"""The four formats of a result: same rows in each, exact for machines, inert for spreadsheets."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import re
import zipfile
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from django.utils.functional import Promise

from audit.reports.formats import csv_excel, csv_plain, json_file, xlsx
from audit.reports.shapes import Column

COLUMNS = (
    Column("id", "Número", "number"),
    Column("ocorrido_em", "Quando", "moment"),
    Column("dia", "Dia", "day"),
    Column("saida_resumo", "Saída"),
    Column("custo_centavos", "Custo (R$)", "money"),
    Column("diferenca", "Diferença", "integer"),
    Column("reversivel", "Reversível", "boolean"),
    Column("fontes", "Fontes", "json"),
    Column("correlacao_id", "Rodada", "run"),
)
AT = dt.datetime(2026, 11, 30, 17, 32, 8, 123456, tzinfo=dt.UTC)
RUN = UUID("c0a8b6f2-0000-4000-8000-000000000000")
SOURCES = '[{"trecho": 1.10, "nota": "café ; \\"x\\""}]'
HOSTILE = [
    "=1+1",
    "+1+cmd",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "＝1+1",
    "＋1",
    "－1",
    "＠x",
    ' "=1"',
]
TEXTS = [
    "00123",
    "12ABC34501DE35",
    "12E34567000195",
    "12/03",
    "1E5",
    "1.234,56",
    "10:30",
    "50%",
    "R$ 3",
]


def a_row(text: str | None = "ok", **changes: Any) -> tuple[Any, ...]:
    values = {
        "id": 7, "ocorrido_em": AT, "dia": dt.date(2026, 11, 30), "saida_resumo": text,
        "custo_centavos": Decimal("123456.000000"), "diferenca": -5, "reversivel": False,
        "fontes": SOURCES, "correlacao_id": RUN,
    }  # fmt: skip
    return tuple((values | changes).values())


def excel(*rows: tuple[Any, ...]) -> list[list[str]]:
    out = io.BytesIO()
    csv_excel.write(out, COLUMNS, rows, {})
    content = out.getvalue()
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), delimiter=";"))


def plain(*rows: tuple[Any, ...]) -> list[list[str]]:
    out = io.BytesIO()
    csv_plain.write(out, COLUMNS, rows, {})
    return list(csv.reader(io.StringIO(out.getvalue().decode(), newline="")))


def as_json(*rows: tuple[Any, ...]) -> tuple[dict[str, Any], str]:
    out = io.BytesIO()
    json_file.write(out, COLUMNS, rows, {"consulta": "x"})
    text = out.getvalue().decode()
    return json.loads(text), text


def workbook(*rows: tuple[Any, ...]) -> str:
    """The one sheet's own markup."""
    out = io.BytesIO()
    xlsx.write(out, COLUMNS, rows, {})
    with zipfile.ZipFile(out) as book:
        return book.read("xl/worksheets/sheet1.xml").decode()


@pytest.mark.parametrize("text", HOSTILE)
def test_no_cell_of_the_excel_csv_starts_a_formula(text: str) -> None:
    cell = excel(a_row(text))[1][3]
    assert cell == f"'{text}"


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_that_looks_like_a_number_or_a_date_stays_a_text(text: str) -> None:
    cell = excel(a_row(text))[1][3]
    assert cell.removeprefix("'") == text
    assert cell.startswith("'") or not re.fullmatch(r"[\d.,/:eE%R$ -]+", cell)


def test_numbers_are_numbers_with_a_decimal_comma_and_money_is_in_reais() -> None:
    row = excel(a_row(custo_centavos=Decimal("123456.000000")))[1]
    assert (row[0], row[4], row[5]) == ("7", "1234,56", "-5")
    assert excel(a_row(custo_centavos=Decimal("0.031200")))[1][4] == "0,000312"
    assert excel(a_row(custo_centavos=None))[1][4] == ""


def test_a_time_is_local_and_its_heading_names_the_zone() -> None:
    heading, row = excel(a_row())
    assert heading[1] == "Quando (America/Sao_Paulo)"
    assert (row[1], row[2]) == ("30/11/2026 14:32:08", "30/11/2026")


@pytest.mark.parametrize("text", ['com ; e "aspas"', "duas\nlinhas", "é à ç 日本"])
def test_separators_quotes_and_line_breaks_come_back_as_they_were(text: str) -> None:
    assert excel(a_row(text))[1][3] == text
    assert plain(a_row(text))[1][3] == text


@pytest.mark.parametrize("text", [*HOSTILE, *TEXTS, ""])
def test_the_machines_csv_and_json_change_no_text(text: str) -> None:
    assert plain(a_row(text))[1][3] == text
    assert as_json(a_row(text))[0]["linhas"][0]["saida_resumo"] == text


def test_machines_get_exact_values_and_times_with_their_offset() -> None:
    row = dict(zip(plain()[0], plain(a_row())[1], strict=True))
    assert row["ocorrido_em"] == "2026-11-30T14:32:08.123456-03:00"
    assert (row["custo_centavos"], row["diferenca"], row["reversivel"]) == (
        "123456.000000",
        "-5",
        "false",
    )
    assert row["fontes"] == SOURCES


def test_json_keeps_stored_json_byte_for_byte_and_says_what_was_asked() -> None:
    found, text = as_json(a_row(None), a_row())
    assert SOURCES in text
    assert (found["formato"], found["consulta"], len(found["linhas"])) == (
        "opspilot.consulta",
        "x",
        2,
    )
    assert found["linhas"][0]["saida_resumo"] is None
    assert found["linhas"][0]["custo_centavos"] == "123456.000000"


def test_json_of_nothing_is_json() -> None:
    assert as_json()[0]["linhas"] == []


@pytest.mark.parametrize("text", [*HOSTILE, *TEXTS, "http://x.example", "mailto:a"])
def test_a_workbook_holds_no_formula_and_no_link(text: str) -> None:
    sheet = workbook(a_row(text))
    assert "<f>" not in sheet
    assert "hyperlink" not in sheet


def test_a_workbook_has_numbers_as_numbers_and_texts_as_texts() -> None:
    sheet = workbook(a_row("00123"))
    assert re.search(r'<c r="E2"[^>]*><v>1234.56</v>', sheet)
    assert re.search(r'<c r="F2"[^>]*><v>-5</v>', sheet)
    assert re.search(r'<c r="D2" t="inlineStr"><is><t>00123</t>', sheet)


def test_control_characters_do_not_break_a_workbook() -> None:
    assert "\x01" not in workbook(a_row("a\x01b"))


def test_the_words_a_file_adds_of_its_own_are_the_reader_s(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(isinstance(word, Promise) for word in csv_excel._TRUTH.values())
    monkeypatch.setattr(xlsx, "_", lambda _word: "Answer")
    out = io.BytesIO()
    xlsx.write(out, COLUMNS, [a_row()], {})
    with zipfile.ZipFile(out) as book:
        assert 'name="Answer"' in book.read("xl/workbook.xml").decode()
