"""CSV for programs: UTF-8, comma, CRLF, exact values. Nothing is made inert: a program reads it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import IO, Any

from audit.reports import cells
from audit.reports.shapes import Column, Row


def write(
    out: IO[bytes], columns: tuple[Column, ...], rows: Iterable[Row], about: Mapping[str, Any]
) -> None:
    text = io.TextIOWrapper(out, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([column.name for column in columns])
    writer.writerows([cells.text(value) for value in row] for row in rows)
    text.detach()  # else it would close the file with itself
