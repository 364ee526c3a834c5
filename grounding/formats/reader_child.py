"""The process in which one file is read: a program of its own, which imports no Django.

Its standard input is the file, its one argument the file's name; on its standard output it writes
`{"read": ...}` or `{"refused": code, "detail": ...}`. Everything it needs is imported before it
gives up its rights: afterwards it may not even be able to read its own code.
"""

from __future__ import annotations

import codecs
import json
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grounding.errors import UnreadableFileError
from grounding.formats import (
    archives,
    confinement,
    docx_documents,
    html_pages,
    kinds,
    office,
    pdf_files,
    separated,
    sheets,
)
from grounding.formats.extracted import Extracted
from grounding.intake.decoding import Decoded, cleaned, decode

MAX_JSON = 8 * 1024 * 1024  # bytes
_LATE = ("cp932", "cp1252", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp437", "utf-8-sig")
_OFFICE: dict[str, Callable[[bytes, zipfile.ZipFile], Extracted]] = {
    "docx": lambda data, found: docx_documents.read(found),
    "xlsx": lambda data, found: sheets.read(data),
}
_SHAPES = {"html": html_pages.read, "csv": separated.read}


def read(data: bytes, name: str) -> Extracted:
    """Raises UnreadableFileError."""
    family = kinds.family(data)
    if family == "text":
        return _text(data, name)
    found = pdf_files.read(data) if family == "pdf" else _package(data)
    return found if found.kind == "zip" else _tidied(found)


def _tidied(found: Extracted) -> Extracted:
    """Cleaned: a format may bring along what no byte of the file showed."""
    if not found.text.strip():
        raise UnreadableFileError("no_text" if found.kind == "docx" else "empty", found.kind)
    text, signs = cleaned(found.text)
    return replace(found, text=text, signs=found.signs + signs)


def _package(data: bytes) -> Extracted:
    found = archives.opened(data)
    archives.measure(found, len(data), office=office.is_package(found))
    kind = office.family(found)
    if kind == "other":
        raise UnreadableFileError("unsupported", "package")
    return _OFFICE[kind](data, found) if kind in _OFFICE else Extracted("zip", "")


def _text(data: bytes, name: str) -> Extracted:
    decoded = decode(data)
    shape = kinds.shape(decoded.text, name)
    if shape not in _SHAPES:
        return as_it_is(decoded, markdown=shape == "markdown")
    found = _SHAPES[shape](decoded.text)
    return _tidied(found).with_signs(decoded.signs)


def as_it_is(decoded: Decoded, *, markdown: bool) -> Extracted:
    """A text that needs no reader."""
    return Extracted("markdown" if markdown else "text", decoded.text, markdown, decoded.signs)


def main() -> None:
    for name in _LATE:  # looked for on the disk when first used
        codecs.lookup(name)
    data = sys.stdin.buffer.read()
    confinement.confine()
    sys.stdout.buffer.write(_answer(data, sys.argv[1]))


def _answer(data: bytes, name: str) -> bytes:
    try:
        written = _json({"read": read(data, name).as_json()})
    except UnreadableFileError as exc:
        return _json({"refused": exc.code, "detail": exc.detail})
    except (MemoryError, RecursionError) as exc:
        return _json({"refused": "too_complex", "detail": type(exc).__name__})
    if len(written) > MAX_JSON:
        return _json({"refused": "too_long", "detail": f"{len(written)} bytes"})
    return written


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


if __name__ == "__main__":
    main()
