"""A row as a line of the two CSV files, and as the text its hash is made of."""

from __future__ import annotations

import json
from zoneinfo import ZoneInfo

import pytest

from audit.files.row_text import Number, jsonb, parse
from audit.models import AgenteAcao
from audit.trace import tables
from audit.trace.layout import COLUMNS

ZONE = ZoneInfo("America/Sao_Paulo")


def cell(column: str, value: object, *, excel: bool) -> str:
    written = tables.excel([{column: value}], ZONE) if excel else tables.machine([{column: value}])
    head = tables.machine_head().decode().strip().split(",")
    return written.decode().rstrip("\r\n").split(";" if excel else ",")[head.index(column)]


def test_every_column_of_the_trail_has_its_place() -> None:
    fields = {field.attname for field in AgenteAcao._meta.concrete_fields}
    assert fields <= set(COLUMNS)


@pytest.mark.parametrize(
    ("column", "value", "machine", "excel"),
    [
        ("ocorrido_em", "2026-11-30T02:30:00.5+00:00", "2026-11-30T02:30:00.5+00:00",
         "29/11/2026 23:30:00"),
        ("custo_exato", Number("1234.560000"), "1234.560000", "1234,560000"),
        ("reversivel", True, "true", "sim"),
        ("erro", None, "", ""),
        ("erro", "=1+1", "=1+1", "'=1+1"),
        ("erro", "＝1+1", "＝1+1", "'＝1+1"),
        ("id", 42, "42", "42"),
    ],
)  # fmt: skip
def test_a_cell(column: str, value: object, machine: str, excel: str) -> None:
    assert cell(column, value, excel=False) == machine
    assert cell(column, value, excel=True) == excel


def test_excel_reads_accents_and_the_zone_is_in_the_head() -> None:
    head = tables.excel_head(ZONE)
    assert head.startswith(b"\xef\xbb\xbf")
    assert b"ocorrido_em (America/Sao_Paulo)" in head


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ('{"bb":1,"a":2,"c":3}', '{"a": 2, "c": 3, "bb": 1}'),
        ('{"n":0.000000}', '{"n": 0.000000}'),
        ('["é","\\u0001","\\n","\\"",null,true]', '["é", "\\u0001", "\\n", "\\"", null, true]'),
        ('{"é":1,"zz":2}', '{"zz": 2, "é": 1}'),
    ],
)
def test_json_is_printed_as_the_database_prints_it(text: str, printed: str) -> None:
    assert jsonb(parse(text)) == printed
    assert json.loads(printed) == json.loads(text)
