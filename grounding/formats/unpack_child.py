"""The process that takes a zip apart: each file becomes a numbered one in the folder it runs in.

On its standard output it writes `{"files": [{"name", "size", "kept"}]}`, or why the zip was refused.
A file of more than `MAX_PART` bytes is named and not kept. Names are data: no path is made of them.
"""

from __future__ import annotations

import codecs
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grounding.errors import UnreadableFileError
from grounding.formats import archives, confinement

MAX_PART = 20 * 1024 * 1024  # bytes
_UTF8 = 0x800  # the flag that says how a name is written
_OLD_CODES = ("cp437", "utf-8", "cp850")


def taken_apart(data: bytes, folder: Path) -> list[dict[str, Any]]:
    """Raises UnreadableFileError."""
    found = archives.opened(data)
    archives.measure(found, len(data), office=False)
    entries = [entry for entry in found.infolist() if not _is_left_out(entry)]
    if not entries:
        raise UnreadableFileError("no_files", "zip")
    return [_one(found, entry, folder / str(number)) for number, entry in enumerate(entries)]


def _one(found: zipfile.ZipFile, entry: zipfile.ZipInfo, place: Path) -> dict[str, Any]:
    content = archives.part(found, entry) if entry.file_size <= MAX_PART else b""
    kept = len(content) == entry.file_size
    if kept:
        place.write_bytes(content)
    return {"name": _name(entry), "size": entry.file_size, "kept": kept}


def _is_left_out(entry: zipfile.ZipInfo) -> bool:
    """Folders, links, and what systems put beside the files somebody meant."""
    is_link = (entry.external_attr >> 16) & 0o170000 == 0o120000
    parts = entry.filename.replace("\\", "/").split("/")
    return (
        entry.is_dir()
        or is_link
        or any(part.startswith((".", "__MACOSX")) and part.strip(".") for part in parts)
        or parts[-1] in ("Thumbs.db", "desktop.ini")
    )


def _name(entry: zipfile.ZipInfo) -> str:
    """Without the flag a name is in the code of whoever packed it: UTF-8 all the same, or DOS's."""
    if entry.flag_bits & _UTF8:
        return entry.filename
    try:
        raw = entry.filename.encode("cp437")
        return raw.decode("utf-8")
    except UnicodeEncodeError:
        return entry.filename
    except UnicodeDecodeError:
        return raw.decode("cp850")


def main() -> None:
    for name in _OLD_CODES:
        codecs.lookup(name)
    data = sys.stdin.buffer.read()
    confinement.confine()
    sys.stdout.write(json.dumps(_answer(data)))


def _answer(data: bytes) -> dict[str, Any]:
    try:
        return {"files": taken_apart(data, Path.cwd())}
    except UnreadableFileError as exc:
        return {"refused": exc.code, "detail": exc.detail}
    except MemoryError:
        return {"refused": "too_complex", "detail": "memory"}


if __name__ == "__main__":
    main()
