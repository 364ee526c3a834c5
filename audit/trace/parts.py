"""A batch of rows as the pieces of the three files of rows, with everybody else taken out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from audit.files import folders
from audit.files.row_text import jsonb, parse
from audit.models import Trace
from audit.trace import known, tables
from audit.trace.masker import Masker, loose_ids
from audit.trace.reading import Stored

KINDS = ("json", "csv", "excel")


def masked(rows: Sequence[Stored], masker: Masker) -> list[tuple[str, dict[str, Any]]]:
    """Each row as a line of linhas.json, and as the value of a line of the tables."""
    values = [parse(row.text) for row in rows]
    registered = known.registered({ref for value in values for ref in loose_ids(value)})
    return [
        _line(row, value, masker.row(value, registered))
        for row, value in zip(rows, values, strict=True)
    ]


def write(
    trace: Trace, number: int, lines: list[tuple[str, dict[str, Any]]], zone: ZoneInfo
) -> None:
    """Whole or not at all, and written again without harm: the row says up to where they count."""
    texts, values = [text for text, _ in lines], [value for _, value in lines]
    lead = "\n" if number == 1 else ",\n"
    content = {
        "json": (lead + ",\n".join(texts)).encode(),
        "csv": tables.machine(values),
        "excel": tables.excel(values, zone),
    }
    for kind in KINDS:
        with folders.whole(folders.part(trace, number, kind)) as stream:
            stream.write(content[kind])


def _line(row: Stored, value: dict[str, Any], changed: list[str]) -> tuple[str, dict[str, Any]]:
    text = jsonb(value) if changed else row.text
    line = f'{{"linha": {text}, "linha_hash": "{row.hash}", "mascarado": {jsonb(changed)}}}'
    return line, value | {"linha_hash": row.hash, "mascarado": ",".join(changed)}
