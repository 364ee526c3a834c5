"""A workbook of one sheet. Texts are written as texts, so nothing in them is ever run; rows pass
through, so a million of them need no more memory than one."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import IO, Any

from django.utils.translation import gettext as _
from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from audit.reports import cells
from audit.reports.formats.csv_excel import heading, in_reais
from audit.reports.shapes import Column, Row

MOST_ROWS = 1_048_575  # of Excel's 1,048,576 one is the heading
MOST_TEXT = 32_767  # characters of a cell; a row of the trail has at most 500
_DIGITS = 15  # beyond them a spreadsheet's number is another number


def write(
    out: IO[bytes], columns: tuple[Column, ...], rows: Iterable[Row], about: Mapping[str, Any]
) -> None:
    sink = _Out(out)
    book = Workbook(
        sink,
        {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False},
    )
    formats: dict[type, Format] = {
        dt.datetime: book.add_format({"num_format": "dd/mm/yyyy hh:mm:ss"}),
        dt.date: book.add_format({"num_format": "dd/mm/yyyy"}),
    }
    sheet = book.add_worksheet(_("Consulta"))
    for place, column in enumerate(columns):
        sheet.write_string(0, place, heading(column))
    for line, row in enumerate(rows, start=1):
        for place, (column, value) in enumerate(zip(columns, row, strict=True)):
            _put(sheet, (line, place), column, value, formats)
    book.close()
    if sink.failure is not None:
        raise sink.failure


def _put(
    sheet: Worksheet,
    at: tuple[int, int],
    column: Column,
    value: Any,
    formats: dict[type, Format],
) -> None:
    match value:
        case None:
            return
        case bool():
            sheet.write_boolean(*at, value)
        case int() | Decimal() if _is_exact(value):
            sheet.write_number(*at, in_reais(value) if column.kind == "money" else value)
        case dt.datetime():
            naive = cells.local(value).replace(tzinfo=None)
            sheet.write_datetime(*at, naive, formats[dt.datetime])
        case dt.date():
            sheet.write_datetime(*at, value, formats[dt.date])
        case _:
            sheet.write_string(*at, cells.text(value)[:MOST_TEXT])


def _is_exact(value: int | Decimal) -> bool:
    return len(f"{value:f}".strip("-0").replace(".", "")) <= _DIGITS


class _Out:
    """The file, until it refuses; `failure` then waits until the workbook has ended. Raised at once
    it would leave the archive inside half ended, which fails again where nobody can catch it."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self.failure: OSError | None = None

    def write(self, data: bytes) -> int:
        if self.failure is None:
            try:
                return self._out.write(data)
            except OSError as exc:
                self.failure, self._out = exc, io.BytesIO()
        return len(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)
