"""One real instance for all crash tests: killed, brought back, and whole again before each of them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from opspilot.bootstrap import postgres
from opspilot.bootstrap.instance import Instance, instance
from opspilot.bootstrap.testing import scratch
from opspilot.smoke.cast import Cast, assembled
from tests.crash.scene import Scene

# The lease outlives a whole request, so that only a dead worker loses it. No check of a connector
# may meet the fault that a test has ordered.
SETTINGS = {
    "OPSPILOT_GITLAB_TIMEOUT": "3",
    "OPSPILOT_LEASE_SECONDS": "5",
    "OPSPILOT_CHECK_SECONDS": "0",
}


@pytest.fixture(scope="session")
def console() -> Iterator[Instance]:
    folder = Path(tempfile.mkdtemp(prefix="opspilot-crash-", dir=scratch())).resolve()
    folder.chmod(0o711)  # the database's own user passes through
    try:
        with instance(folder, environ=SETTINGS) as running:
            yield running
    finally:
        postgres.remove(folder)


@pytest.fixture(scope="session")
def cast(console: Instance) -> Iterator[Cast]:
    with assembled(console) as people:
        yield people


@pytest.fixture
def scene(console: Instance, cast: Cast) -> Iterator[Scene]:
    scene = Scene(console, cast)
    scene.make_whole()
    yield scene
    cast.sandbox.forget_faults()
