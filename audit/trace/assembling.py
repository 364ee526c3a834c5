"""The parts, the summary and the manifest as one ZIP."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from zoneinfo import ZoneInfo

from audit.files import folders, signing
from audit.models import Trace
from audit.trace import layout, manifest, tables
from audit.trace.manifest import Facts
from opspilot.tenancy import clock
from opspilot.tenancy.lease import Beat

LEVEL = 3  # of deflate: rows are much alike, and more effort gains little


@dataclass(frozen=True, slots=True)
class Package:
    sha256: str
    size: int
    is_signed: bool


def assemble(trace: Trace, found: Facts, *, zone: ZoneInfo, beat: Beat) -> Package:
    """Leaves the file where `folders.package` looks for it by its hash, which the trace is given here
    and is stored by the caller. `beat` is called between two pieces: assembling a large one takes
    longer than a lease."""
    path, files = folders.fresh(trace), []
    with folders.whole(path) as stream, _zip(stream) as package:
        for name, pieces in _files(trace, found, zone):
            beat()
            files.append(_write(package, name, pieces, beat))
        key = signing.fingerprint()
        said = manifest.content(trace, found, files, key=key, at=clock.now())
        _write(package, layout.MANIFEST, iter([said]), beat)
        signature = signing.signature(layout.FORMAT, said)
        if signature is not None:
            _write(package, layout.SIGNATURE, iter([signature]), beat)
    trace.sha256 = folders.sha256(path, beat)
    path.replace(folders.package(trace))
    size = folders.package(trace).stat().st_size
    return Package(trace.sha256, size, signature is not None)


def _zip(stream: IO[bytes]) -> zipfile.ZipFile:
    return zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL)


def _files(
    trace: Trace, found: Facts, zone: ZoneInfo
) -> Iterator[tuple[str, Iterator[bytes | Path]]]:
    # Here and not above: the library that draws is large, and only the worker that builds needs it.
    from audit.trace import summary_pdf

    head, foot = layout.ROWS_HEAD.encode(), f"\n{layout.ROWS_FOOT}\n".encode()
    yield layout.ROWS_JSON, _around(trace, "json", head, foot)
    yield layout.ROWS_CSV, _around(trace, "csv", tables.machine_head())
    yield layout.ROWS_EXCEL, _around(trace, "excel", tables.excel_head(zone))
    yield layout.SUMMARY, iter([summary_pdf.render(trace, found, zone)])


def _around(trace: Trace, kind: str, head: bytes, foot: bytes = b"") -> Iterator[bytes | Path]:
    yield head
    for number in range(1, trace.parts + 1):
        yield folders.part(trace, number, kind)
    yield foot


def _write(
    package: zipfile.ZipFile, name: str, pieces: Iterator[bytes | Path], beat: Beat
) -> dict[str, Any]:
    """The file in the package, and the manifest's line about it."""
    digest, size = hashlib.sha256(), 0
    with package.open(name, "w", force_zip64=True) as stream:
        for piece in pieces:
            beat()
            content = piece if isinstance(piece, bytes) else piece.read_bytes()
            digest.update(content)
            size += len(content)
            stream.write(content)
    return {"nome": name, "bytes": size, "sha256": digest.hexdigest()}
