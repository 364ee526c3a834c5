"""The archive of a month before it goes: one file per company, and a manifest that proves them.

    OPSPILOT_ARCHIVE_DIR/2026-04/manifest.json
    OPSPILOT_ARCHIVE_DIR/2026-04/<tenant id>.jsonl.gz    one row a line, as PostgreSQL writes it

It is written beside its place, read back from the disk, and only then moved there: a folder that bears
a month's name is whole.
"""

from __future__ import annotations

import datetime as dt
import gzip
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import connection

from audit.months.calendar import label, moved, start_of
from audit.months.errors import ArchiveError
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.sql import named, server_side

FORMAT, VERSION = "opspilot.arquivo-da-trilha", 1
MANIFEST = "manifest.json"
_QUERY = Path(__file__).parents[1] / "sql" / "archived_rows.sql"
_PAGE = 2_000  # rows in memory at a time
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Part:
    """One company's file: its rows, and the SHA-256 of the file and of its uncompressed lines."""

    tenant: str
    file: str
    rows: int
    sha256: str
    lines_sha256: str


@dataclass(frozen=True, slots=True)
class Archive:
    """A month's folder as its manifest tells of it; `sha256` is that of the manifest."""

    folder: Path
    month: str
    parts: tuple[Part, ...]
    sha256: str


def root() -> Path:
    """The folder of all archives. Raises ArchiveError when none is named."""
    if not settings.OPSPILOT_ARCHIVE_DIR:
        raise ArchiveError("no month can go: OPSPILOT_ARCHIVE_DIR names no folder for the archives")
    return Path(settings.OPSPILOT_ARCHIVE_DIR)


def ensure(month: dt.date, tenants: Iterable[UUID]) -> Archive:
    """The whole, re-read archive of the month: the one that is there, or a new one.

    One that is there and proves itself is kept, so that a ledger line that names it stays true.
    Raises ArchiveError with a sentence for operators; then nothing was removed.
    """
    folder = root() / label(month)
    try:
        return _kept(folder) if folder.exists() else _written(folder, month, tenants)
    except OSError as exc:
        raise ArchiveError(
            f"the archive of {label(month)} could not be written ({exc.strerror}); nothing was "
            "removed. Make room where OPSPILOT_ARCHIVE_DIR points, or name another folder, and run "
            "`partitions expire` again"
        ) from exc


def read(folder: Path) -> Archive:
    """The manifest's word, with every file held against it. Raises ArchiveError or OSError."""
    try:
        body = (folder / MANIFEST).read_bytes()
        found = json.loads(body)
        parts = tuple(Part(**part) for part in found["partes"])
        month = str(found["mes"])
    except (FileNotFoundError, ValueError, KeyError, TypeError) as exc:
        raise ArchiveError(f"{folder.name}: the manifest cannot be read") from exc
    if (found.get("formato"), found.get("versao")) != (FORMAT, VERSION):
        raise ArchiveError(f"{folder.name}: not a format this release reads")
    for part in parts:
        _check(_path(folder, part), part)
    return Archive(folder, month, parts, hashlib.sha256(body).hexdigest())


def lines_of(archive: Archive, part: Part) -> Iterator[bytes]:
    """The rows of one company, in order of time, one JSON object each."""
    with gzip.open(_path(archive.folder, part)) as file:
        for line in file:
            yield line.rstrip(b"\n")


def _path(folder: Path, part: Part) -> Path:
    """Inside the folder, whatever a manifest says."""
    return folder / Path(part.file).name


def _kept(folder: Path) -> Archive:
    try:
        return read(folder)
    except ArchiveError as exc:
        raise ArchiveError(
            f"{exc}; nothing was removed. Put the folder back as it was, or move it away if no line "
            "of the ledger names it, and run `partitions expire` again"
        ) from exc


def _written(folder: Path, month: dt.date, tenants: Iterable[UUID]) -> Archive:
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True, mode=0o700)
    try:
        parts = [_part(partial, month, tenant) for tenant in tenants]
        _manifest(partial, month, parts)
        found = read(partial)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    partial.rename(folder)
    _sync(folder.parent)
    return replace(found, folder=folder)


def _part(folder: Path, month: dt.date, tenant: UUID) -> Part:
    path, lines, rows = folder / f"{tenant}.jsonl.gz", hashlib.sha256(), 0
    with path.open("xb") as raw:
        # No name and no time inside: the same rows are the same bytes.
        with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as file:
            for text in _rows(month, tenant):
                line = text.encode() + b"\n"
                file.write(line)
                lines.update(line)
                rows += 1
        raw.flush()
        os.fsync(raw.fileno())
    return Part(str(tenant), path.name, rows, _digest(path), lines.hexdigest())


def _rows(month: dt.date, tenant: UUID) -> Iterator[str]:
    values = {"tenant_id": tenant, "since": start_of(month), "until": start_of(moved(month, 1))}
    with tenant_scope(tenant):
        with connection.cursor() as session:
            session.execute("SELECT set_config('TimeZone', 'UTC', true)")
        with server_side(page=_PAGE) as source:
            source.execute(named(_QUERY), values)
            for (text,) in source:
                yield text


def _manifest(folder: Path, month: dt.date, parts: list[Part]) -> None:
    body = {
        "formato": FORMAT,
        "versao": VERSION,
        "mes": label(month),
        "partes": [asdict(part) for part in parts],
    }
    with (folder / MANIFEST).open("x", encoding="utf-8") as file:
        json.dump(body, file, indent=1, sort_keys=True)
        file.flush()
        os.fsync(file.fileno())
    _sync(folder)


def _check(path: Path, part: Part) -> None:
    if not path.exists() or _digest(path) != part.sha256:
        raise ArchiveError(f"{path.parent.name}: {part.file} is missing or is not what was written")
    lines, rows = hashlib.sha256(), 0
    with gzip.open(path) as file:
        for line in file:
            lines.update(line)
            rows += 1
    if (rows, lines.hexdigest()) != (part.rows, part.lines_sha256):
        raise ArchiveError(f"{path.parent.name}: {part.file} does not hold the rows it should")


def _digest(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_CHUNK):
            found.update(block)
    return found.hexdigest()


def _sync(folder: Path) -> None:
    """The folder's own entries onto the disk: a file whose name is lost is lost."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
