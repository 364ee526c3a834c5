"""A zip's parts, counted and measured by reading before any of them is looked into."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator

from grounding.errors import UnreadableFileError
from grounding.formats.image_sizes import is_huge

MAX_ENTRIES = 2_000
MAX_OUT = 100 * 1024 * 1024
MAX_RATIO = 100
_SMALL = 10 * 1024 * 1024  # bytes out below which no ratio makes a bomb
_STEP = 64 * 1024
# What zipfile raises for a damaged zip, or one packed or locked in a way it does not know.
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    ValueError,
    KeyError,
)
_END = b"PK\x05\x06"
# The second form without its last NUL: then it stands in either order of the bytes.
_DECLARED = [
    word
    for name in ("<!DOCTYPE", "<!ENTITY")
    for word in (name.encode(), name.encode("utf-16-le")[:-1])
]


def opened(data: bytes) -> zipfile.ZipFile:
    """The zip by its directory alone; no part is looked into before `measure`. Raises
    UnreadableFileError."""
    _refuse_by_count(data)
    try:
        found = zipfile.ZipFile(io.BytesIO(data))
    except _BROKEN as exc:
        raise UnreadableFileError("damaged", "zip") from exc
    if len(found.infolist()) > MAX_ENTRIES:
        raise UnreadableFileError("inflated", f"{len(found.infolist())} entries")
    if any(entry.flag_bits & 0x1 for entry in found.infolist()):
        raise UnreadableFileError("encrypted", "zip")
    return found


def measure(found: zipfile.ZipFile, packed: int, *, office: bool) -> None:
    """Read a zip of `packed` bytes through: what it says of its sizes is not believed.

    In an Office file no part may declare a document type, and no picture be beyond any screen.
    Raises UnreadableFileError.
    """
    total = 0
    for entry in found.infolist():
        for number, (before, step) in enumerate(_steps(found, entry)):
            total += len(step)
            _refuse_by_size(total, packed)
            if office:
                _refuse_by_content(number, before, step)


def part(found: zipfile.ZipFile, name: str | zipfile.ZipInfo) -> bytes:
    """The bytes of one part of a measured zip; nothing when there is none of this name."""
    try:
        return found.read(name)
    except KeyError:
        return b""
    except _BROKEN as exc:
        raise UnreadableFileError("damaged", "zip part") from exc


def _steps(found: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[tuple[bytes, bytes]]:
    """The bytes of a part piece by piece, each with the end of the piece before."""
    before = b""
    try:
        with found.open(entry) as stream:
            while step := stream.read(_STEP):
                yield before, step
                before = step[-32:]
    except _BROKEN as exc:
        raise UnreadableFileError("damaged", "zip entry") from exc


def _refuse_by_count(data: bytes) -> None:
    """By the directory's own count, before a library makes an object of each entry."""
    at = data.rfind(_END)
    if at >= 0 and int.from_bytes(data[at + 10 : at + 12], "little") > MAX_ENTRIES:
        raise UnreadableFileError("inflated", "entries")


def _refuse_by_size(total: int, packed: int) -> None:
    if total > MAX_OUT or (total > _SMALL and total > packed * MAX_RATIO):
        raise UnreadableFileError("inflated", f"{packed} bytes become more than {total}")


def _refuse_by_content(number: int, before: bytes, step: bytes) -> None:
    window = before + step
    if any(word in window for word in _DECLARED):
        raise UnreadableFileError("entities")
    if number == 0 and is_huge(step):
        raise UnreadableFileError("huge_image")
