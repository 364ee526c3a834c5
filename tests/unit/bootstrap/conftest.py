from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from opspilot.bootstrap import postgres
from opspilot.bootstrap.postgres import Server
from tests.unit.bootstrap.launched import Project, open_folder
from tests.unit.bootstrap.standin import write_environment, write_project


@pytest.fixture
def data_dir() -> Iterator[Path]:
    folder = open_folder()
    yield folder / "data"
    postgres.remove(folder / "data")
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def own_dir() -> Iterator[Path]:
    """For tests that stop, kill and start one server: each begins by starting it."""
    folder = open_folder()
    postgres.prepare(postgres.start(folder / "data", durable=False))
    yield folder / "data"
    postgres.remove(folder / "data")
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def prepared() -> Iterator[Server]:
    folder = open_folder()
    server = postgres.start(folder / "data")
    postgres.prepare(server)
    yield server
    postgres.remove(folder / "data")
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def as_root() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root runs the database as another user")


@pytest.fixture(scope="session")
def project() -> Iterator[Project]:
    folder = open_folder()
    (folder / "project").mkdir()
    made = write_project(folder / "project")
    yield Project(made, write_environment(made, folder / "venv"))
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def module_folder() -> Iterator[Path]:
    folder = open_folder()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
