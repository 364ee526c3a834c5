"""Rows as CSV for the Excel of a Brazilian office: semicolons, a byte order mark, CRLF.

A text that a spreadsheet would run as a formula gets an apostrophe in front; numbers stay numbers.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

Cell = str | int
_ACTIVE = frozenset("=+-@\t\r\n\x00＝＋－＠")
_MUTE = str.maketrans("", "", "\x00")


def csv_for_excel(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """UTF-8 with a byte order mark, so that Excel reads the accents."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow([neutral(cell) for cell in header])
    writer.writerows([[neutral(cell) for cell in row] for row in rows])
    return out.getvalue().encode("utf-8-sig")


def neutral(cell: Cell) -> Cell:
    """The cell as it can be opened: no text starts what a spreadsheet takes for a formula."""
    if isinstance(cell, int):
        return cell
    if cell[:1].isalnum() and "\x00" not in cell:  # nearly all that is exported
        return cell
    starts = cell.lstrip(" \"'\u00a0")[:1] or cell[:1]
    text = cell.translate(_MUTE)
    return f"'{text}" if starts in _ACTIVE or cell[:1] in _ACTIVE else text
