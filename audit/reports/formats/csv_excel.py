"""CSV for the Excel of a Brazilian office: semicolon, byte order mark, decimal comma, local times.

Numbers are numbers and texts stay texts: what Excel would run (`=`, `+`, `-`, `@` and their
full-width forms, tab, line break) or would turn into a number or a date (`00123`, `12/03`, `1E5`)
gets an apostrophe in front.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import IO, Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from audit.reports import cells
from audit.reports.shapes import Column, Row
from opspilot.presentation.spreadsheet import neutral

# Digits with signs between them, or an exponent: a number, a date, a time, a share of a hundred.
_NUMBER_LIKE = re.compile(
    r"\s*(?:R\$\s*)?[\d.,/:\s-]*\d[\d.,/:\s-]*(?:e[+-]?\d+)?\s*%?\s*", re.IGNORECASE
)
_TRUTH = {True: _("sim"), False: _("não")}


def write(
    out: IO[bytes], columns: tuple[Column, ...], rows: Iterable[Row], about: Mapping[str, Any]
) -> None:
    text = io.TextIOWrapper(out, encoding="utf-8", newline="", write_through=True)
    text.write("\ufeff")
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerow([neutral(heading(column)) for column in columns])
    writer.writerows(
        [cell(column, value) for column, value in zip(columns, row, strict=True)] for row in rows
    )
    text.detach()


def heading(column: Column) -> str:
    """The column's words; a time says its zone, and money is in reais."""
    if column.kind == "moment":
        return f"{column.label} ({timezone.get_default_timezone_name()})"
    return str(column.label)


def cell(column: Column, value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(_TRUTH[value])
        case int() | Decimal():
            return number(in_reais(value) if column.kind == "money" else value)
        case dt.datetime():
            return f"{cells.local(value):%d/%m/%Y %H:%M:%S}"
        case dt.date():
            return f"{value:%d/%m/%Y}"
    return kept_text(cells.text(value))


def kept_text(text: str) -> str:
    """The text as a text: never a formula, a number or a date."""
    return f"'{text}" if _NUMBER_LIKE.fullmatch(text) else str(neutral(text))


def number(value: int | Decimal) -> str:
    return f"{value:f}".replace(".", ",") if isinstance(value, Decimal) else str(value)


def in_reais(centavos: int | Decimal) -> Decimal:
    reais = Decimal(centavos) / 100
    return reais.normalize() if reais != reais.to_integral() else reais.quantize(Decimal(1))
