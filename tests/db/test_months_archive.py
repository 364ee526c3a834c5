"""The archive of a month before it goes: whole, read back, what was sealed, or the month stays."""

from __future__ import annotations

import errno
import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from audit.months import archive, expiring, restoring
from audit.months.errors import ArchiveError
from tests.conftest import Connection
from tests.db import months
from tests.db.letting_go import (
    GONE,
    JULY,
    a_company,
    a_place,
    killed,
    refused,
)

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture(autouse=True)
def place(settings: Settings, tmp_path: Path, admin: Connection) -> Iterator[Path]:
    yield from a_place(settings, tmp_path, admin)


def test_a_run_killed_while_it_archives_leaves_nothing_half(
    admin: Connection, monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    a_company(admin, JULY)
    killed(monkeypatch, archive, "_manifest", after=False)
    assert list(place.glob("1994*")) == []
    assert expiring.expire() == GONE


def test_without_a_folder_no_month_goes(admin: Connection, settings: Settings) -> None:
    a_company(admin, JULY)
    settings.OPSPILOT_ARCHIVE_DIR = ""
    refused(admin, "OPSPILOT_ARCHIVE_DIR")


def test_a_full_disk_removes_nothing_and_says_what_to_do(
    admin: Connection, monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    a_company(admin, JULY)

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("audit.months.archive.os.fsync", full)
        refused(admin, "Make room where OPSPILOT_ARCHIVE_DIR points")
    assert list(place.iterdir()) == []
    assert expiring.expire() == GONE


def test_an_archive_that_was_changed_before_the_month_went_stops_it(
    admin: Connection, monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    a_company(admin, JULY)
    killed(monkeypatch, expiring, "_tell")
    (part,) = (place / "1994-07").glob("*.gz")
    part.write_bytes(part.read_bytes()[:-9])
    refused(admin, "is not what was written")


def test_another_archive_than_the_ledger_s_stops_it(
    admin: Connection, monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    a_company(admin, JULY)
    killed(monkeypatch, expiring, "_tell")
    manifest = place / "1994-07" / archive.MANIFEST
    manifest.write_text(json.dumps(json.loads(manifest.read_text())), encoding="utf-8")
    refused(admin, "is not the one the ledger names")


def test_an_archive_whose_rows_changed_is_not_restorable(admin: Connection, place: Path) -> None:
    a_company(admin, JULY)
    expiring.expire()
    folder = place / "1994-07"
    rewrite(folder, b"historico.lido", b"historico.lida")
    with pytest.raises(ArchiveError, match="cannot be restored as it was"):
        restoring.check(folder)


def test_an_archive_of_other_rows_than_those_sealed_stops_it(
    admin: Connection, monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    """Rows that are whole by themselves, and not the ones under the seals."""
    tenant = a_company(admin, JULY)
    killed(monkeypatch, archive, "ensure")
    folder = place / "1994-07"
    (part,) = folder.glob("*.gz")
    first, *others = gzip.decompress(part.read_bytes()).splitlines(keepends=True)
    swap(folder, b"".join([*others, first]))
    assert restoring.check(folder).rows == 3
    refused(admin, "does not hold the rows that were sealed")
    assert months.lines(tenant) == []


def rewrite(folder: Path, before: bytes, after: bytes) -> None:
    """Changes the rows and makes every checksum of the manifest fit them again."""
    (path,) = folder.glob("*.gz")
    swap(folder, gzip.decompress(path.read_bytes()).replace(before, after))


def swap(folder: Path, lines: bytes) -> None:
    body = json.loads((folder / archive.MANIFEST).read_text())
    (part,) = body["partes"]
    packed = gzip.compress(lines)
    (folder / part["file"]).write_bytes(packed)
    part["sha256"] = hashlib.sha256(packed).hexdigest()
    part["lines_sha256"] = hashlib.sha256(lines).hexdigest()
    (folder / archive.MANIFEST).write_text(json.dumps(body), encoding="utf-8")
