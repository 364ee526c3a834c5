"""A ZIP that is its listed files and nothing else: one reader could find what another does not.

Programs read a ZIP from its end (the directory) or from its start (each file's own head). Bytes
before, between or after the files, or a file that the directory does not list, are seen by some only.
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from audit.files.checks import UnreadableError

_HEAD, _ENTRY, _END, _END_OF_64 = 30, 46, 22, 56 + 20  # bytes of the fixed parts
_MARK = b"PK\x03\x04"
_UTF_8, _STREAMED = 0x800, 0x8
_FOLLOWING = {12, 16, 20, 24}  # bytes of size and checksum behind a streamed file


def refuse_hidden(path: Path) -> None:
    """Raises UnreadableError, or what reading a broken ZIP raises (`checks.FAULTS`)."""
    with zipfile.ZipFile(path) as package, path.open("rb") as raw:
        files = sorted(package.infolist(), key=lambda info: info.header_offset)
        starts = [*(info.header_offset for info in files), package.start_dir]
        directory = path.stat().st_size - package.start_dir - sum(map(_entry, files))
        whole = not package.comment and directory in (_END, _END + _END_OF_64)
        if not whole or starts[0] != 0 or not _is_seamless(raw, files, starts[1:]):
            raise UnreadableError("the ZIP holds something that its list of files does not name")


def _is_seamless(raw: IO[bytes], files: Sequence[zipfile.ZipInfo], ends: Sequence[int]) -> bool:
    """Whether each file ends where the next one begins, or the directory does."""
    for info, end in zip(files, ends, strict=True):
        left = end - _end_of(raw, info)
        streamed = bool(info.flag_bits & _STREAMED) and left in _FOLLOWING
        if left != 0 and not streamed:
            return False
    return True


def _end_of(raw: IO[bytes], info: zipfile.ZipInfo) -> int:
    raw.seek(info.header_offset)
    head = raw.read(_HEAD)
    if head[:4] != _MARK:
        raise UnreadableError("the ZIP has a file without its head")
    name, extra = struct.unpack("<HH", head[26:30])
    return info.header_offset + _HEAD + int(name) + int(extra) + info.compress_size


def _entry(info: zipfile.ZipInfo) -> int:
    """Bytes of its line in the directory."""
    name = info.orig_filename.encode("utf-8" if info.flag_bits & _UTF_8 else "cp437")
    return _ENTRY + len(name) + len(info.extra) + len(info.comment)
