"""Files of the console with one byte that is another one, as a disk or a hand leaves them."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

from audit import verifying
from audit.files.checks import FAULTS, UnreadableError


def inside(path: Path, name: str, target: Path, *, times: int) -> Iterator[Path]:
    """In the compressed content of one file of a ZIP, at places evenly apart. Not those after which
    the very same comes out: the same text may be pointed back to in two places."""
    with zipfile.ZipFile(path) as package:
        info = package.getinfo(name)
        assert info.compress_type == zipfile.ZIP_DEFLATED
        content = package.read(name)
    whole = path.read_bytes()
    head = info.header_offset
    names = int.from_bytes(whole[head + 26 : head + 28], "little")
    extra = int.from_bytes(whole[head + 28 : head + 30], "little")
    start = head + 30 + names + extra
    for damaged in _damaged(whole, range(start, start + info.compress_size), target, times):
        if _unpacked(damaged, name) != content:
            yield damaged


def _unpacked(path: Path, name: str) -> bytes | None:
    try:
        with zipfile.ZipFile(path) as package:
            return package.read(name)
    except FAULTS:
        return None


def anywhere(path: Path, target: Path, *, times: int) -> Iterator[Path]:
    whole = path.read_bytes()
    yield from _damaged(whole, range(len(whole)), target, times)


def outcome(path: Path) -> str:
    """Anything else than a report or an UnreadableError comes out as it is."""
    try:
        return "good" if verifying.verify(path).ok else "bad"
    except UnreadableError:
        return "unreadable"


def _damaged(whole: bytes, places: range, target: Path, times: int) -> Iterator[Path]:
    for place in places[:: max(1, len(places) // times)]:
        target.write_bytes(whole[:place] + bytes([whole[place] ^ 0xA5]) + whole[place + 1 :])
        yield target
