"""A row as a line of each of the two CSV files."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from audit.trace.layout import COLUMNS
from audit.trace.row_text import Number, jsonb
from opspilot.presentation.spreadsheet import neutral

_MOMENTS = ("ocorrido_em", "informado_em")

Line = dict[str, Any]


def machine(lines: Iterable[Line]) -> bytes:
    """RFC 4180, times in UTC as the database prints them, empty for what is not known."""
    return _written(lines, ",", _machine_cell)


def excel(lines: Iterable[Line], zone: ZoneInfo) -> bytes:
    """For the Excel of a Brazilian office: local times, decimal comma, nothing that runs."""

    def cell(column: str, value: Any) -> str | int:
        if column in _MOMENTS and value:
            return f"{dt.datetime.fromisoformat(value).astimezone(zone):%d/%m/%Y %H:%M:%S}"
        return _excel_cell(value)

    return _written(lines, ";", cell)


def machine_head() -> bytes:
    return _rows([COLUMNS], ",")


def excel_head(zone: ZoneInfo) -> bytes:
    """With the byte order mark, by which Excel reads accents; moments name their zone."""
    names = [f"{name} ({zone.key})" if name in _MOMENTS else name for name in COLUMNS]
    return b"\xef\xbb\xbf" + _rows([names], ";")


def _written(lines: Iterable[Line], delimiter: str, cell: Callable[[str, Any], str | int]) -> bytes:
    return _rows(
        ([cell(column, line.get(column)) for column in COLUMNS] for line in lines), delimiter
    )


def _rows(rows: Iterable[Sequence[str | int]], delimiter: str) -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return out.getvalue().encode()


def _machine_cell(_column: str, value: Any) -> str | int:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return jsonb(value) if isinstance(value, bool | dict | list) else int(value)


def _excel_cell(value: Any) -> str | int:
    if value is None:
        return ""
    if isinstance(value, Number):
        return value.replace(".", ",")
    if isinstance(value, str):
        return neutral(value)
    if isinstance(value, bool):
        return "sim" if value else "não"
    return neutral(jsonb(value)) if isinstance(value, dict | list) else int(value)
