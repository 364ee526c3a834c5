"""JSON: what was asked, and every row as an object of exact values; decimals are texts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import IO, Any

from audit.reports import cells
from audit.reports.shapes import Column, Row

FORMAT = {"formato": "opspilot.consulta", "formato_versao": 1}


def write(
    out: IO[bytes], columns: tuple[Column, ...], rows: Iterable[Row], about: Mapping[str, Any]
) -> None:
    head = {**FORMAT, **about, "colunas": [column.name for column in columns]}
    out.write(json.dumps(head, ensure_ascii=False)[:-1].encode() + b', "linhas": [')
    names = [json.dumps(column.name) for column in columns]
    before = b"\n"
    for row in rows:
        pairs = zip(names, columns, row, strict=True)
        said = ", ".join(f"{name}: {cells.as_json(column, value)}" for name, column, value in pairs)
        out.write(before + f"{{{said}}}".encode())
        before = b",\n"
    out.write(b"\n]}\n")
