"""The sheets of an XLSX as Markdown tables, each under its name. A hidden one is left out."""

from __future__ import annotations

import datetime as dt
import io

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetVisibleEnum

from grounding.errors import UnreadableFileError
from grounding.formats import markdown_tables
from grounding.formats.extracted import Extracted, Place, counted

MAX_CELLS = 2_000_000


def read(data: bytes) -> Extracted:
    """Raises UnreadableFileError."""
    blocks: list[str] = []
    hidden: list[Place] = []
    with _opened(data) as book:
        for sheet in book.sheets_metadata:
            text = _table(book.get_sheet_by_name(sheet.name))
            if not text:
                continue
            if sheet.visible != SheetVisibleEnum.Visible:
                hidden.append(Place("sheet", sheet.name, text))
                continue
            blocks += [f"## {markdown_tables.cell_text(sheet.name)}", text]
    return Extracted("xlsx", "\n\n".join(blocks), signs=counted("hidden", hidden))


def _opened(data: bytes) -> CalamineWorkbook:
    try:
        return CalamineWorkbook.from_filelike(io.BytesIO(data))
    except CalamineError as exc:
        raise UnreadableFileError("damaged", "xlsx") from exc


def _table(sheet: CalamineSheet) -> str:
    if sheet.height * sheet.width > MAX_CELLS:
        raise UnreadableFileError("inflated", f"{sheet.height} x {sheet.width} cells")
    return markdown_tables.tables([[_written(cell) for cell in row] for row in sheet.iter_rows()])


def _written(cell: object) -> str:
    """As a person reads it: a whole number without its fraction, a day without its midnight."""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, dt.datetime) and cell.time() == dt.time.min:
        return cell.date().isoformat()
    return str(cell)
