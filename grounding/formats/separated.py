"""Separated values as Markdown tables, whatever separates them."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from grounding.errors import UnreadableFileError
from grounding.formats import markdown_tables
from grounding.formats.extracted import Extracted

_SEPARATORS = (";", "\t", "|", ",")
_SAMPLE = 200  # rows
MAX_ROWS = 500_000
MIN_ROWS, MIN_COLUMNS = 3, 3  # by which a file that is not named so is taken for a table


def read(text: str) -> Extracted:
    """Raises UnreadableFileError."""
    separator, _share, _width = _best(text)
    try:
        rows = list(islice(_rows(text, separator), MAX_ROWS + 1))
    except csv.Error as exc:
        raise UnreadableFileError("damaged", "csv") from exc
    if len(rows) > MAX_ROWS:
        raise UnreadableFileError("too_long", "rows")
    return Extracted("csv", markdown_tables.tables(rows))


def is_a_table(text: str) -> bool:
    """Whether every row has the same columns: so regular that it is no prose."""
    separator, share, width = _best(text)
    rows = sum(1 for line in islice(text.splitlines(), _SAMPLE) if line.strip())
    return rows >= MIN_ROWS and width >= MIN_COLUMNS and share == 1 and separator != ","


def _rows(text: str, separator: str) -> Iterator[list[str]]:
    return csv.reader(text.splitlines(keepends=True), delimiter=separator)


def _best(text: str) -> tuple[str, float, int]:
    """The separator under which most rows have the same number of columns, and more than one."""
    found = [(*_regularity(text, separator), separator) for separator in _SEPARATORS]
    share, width, separator = max(found, key=lambda one: (one[1] > 1, one[0], one[1]))
    return separator, share, width


def _regularity(text: str, separator: str) -> tuple[float, int]:
    """(share of the rows with the commonest width, that width), of the first rows."""
    head = "\n".join(islice(text.splitlines(), _SAMPLE))
    try:
        widths = Counter(len(row) for row in _rows(head, separator) if row)
    except csv.Error:
        return 0.0, 0
    if not widths:
        return 0.0, 0
    width, number = max(widths.items(), key=lambda one: one[1])
    return number / widths.total(), width
