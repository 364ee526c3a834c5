"""A row as a line of each of the two CSV files."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Iterable, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from audit.files.row_text import Number, jsonb
from audit.trace.layout import COLUMNS
from opspilot.presentation.spreadsheet import neutral

_MOMENTS = ("ocorrido_em", "informado_em")
_MOMENT_PLACES = tuple(map(COLUMNS.index, _MOMENTS))
_JSON = frozenset({bool, dict, list})

Line = dict[str, Any]
Cell = str | int | None


def machine(lines: Iterable[Line]) -> bytes:
    """RFC 4180, times in UTC as the database prints them, empty for what is not known."""
    return _rows((list(map(_machine_cell, map(line.get, COLUMNS))) for line in lines), ",")


def excel(lines: Iterable[Line], zone: ZoneInfo) -> bytes:
    """For the Excel of a Brazilian office: local times, decimal comma, nothing that runs."""

    def cells(line: Line) -> list[Cell]:
        found = list(map(_excel_cell, map(line.get, COLUMNS)))
        for place in _MOMENT_PLACES:
            if value := found[place]:
                local = dt.datetime.fromisoformat(str(value)).astimezone(zone)
                found[place] = f"{local:%d/%m/%Y %H:%M:%S}"
        return found

    return _rows(map(cells, lines), ";")


def machine_head() -> bytes:
    return _rows([COLUMNS], ",")


def excel_head(zone: ZoneInfo) -> bytes:
    """With the byte order mark, by which Excel reads accents; moments name their zone."""
    names = [f"{name} ({zone.key})" if name in _MOMENTS else name for name in COLUMNS]
    return b"\xef\xbb\xbf" + _rows([names], ";")


def _rows(rows: Iterable[Sequence[Cell]], delimiter: str) -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return out.getvalue().encode()


def _machine_cell(value: Any) -> Cell:
    """What the writer of the file writes as it is, and nothing for None, goes through untouched."""
    return jsonb(value) if type(value) in _JSON else value


def _excel_cell(value: Any) -> Cell:
    kind = type(value)
    if kind is str:
        return neutral(value)
    if kind is Number:
        return str(value).replace(".", ",")
    if kind is bool:
        return "sim" if value else "não"
    return neutral(jsonb(value)) if kind in _JSON else value
