"""One value of a row as machines read it: exact, and the same in every format and in the hash."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.utils import timezone

from audit.reports.shapes import Column, Row

Plain = str | int | bool | None


def plain(value: Any) -> Plain:
    """Moments as ISO with microseconds and offset, in the reports' zone; exact decimals as text."""
    match value:
        case None | bool() | int() | str():
            return value
        case dt.datetime():
            return local(value).isoformat(timespec="microseconds")
        case Decimal():
            return f"{value:f}"
        case dt.date():
            return value.isoformat()
        case UUID():
            return str(value)
    raise TypeError(type(value).__name__)  # a new kind of column has to be thought of here


def text(value: Any) -> str:
    """The same as a cell of text; nothing for what is not there."""
    found = plain(value)
    if found is None:
        return ""
    return str(found).lower() if isinstance(found, bool) else str(found)


def as_json(column: Column, value: Any) -> str:
    """A JSON value. A `json` column comes from the database as JSON and stays byte for byte."""
    if column.kind == "json" and isinstance(value, str):
        return value
    return json.dumps(plain(value), ensure_ascii=False)


def line(columns: Sequence[Column], row: Row) -> str:
    """A row as one JSON array, as the hash takes it."""
    return f"[{','.join(as_json(*pair) for pair in zip(columns, row, strict=True))}]"


def local(value: dt.datetime) -> dt.datetime:
    """In the reports' zone, whatever the reader's."""
    return value.astimezone(timezone.get_default_timezone())


def is_uuid(value: str) -> bool:
    try:
        UUID(value)
    except ValueError:
        return False
    return True
