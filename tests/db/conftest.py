"""What several files of database tests start together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.db import serving
from tests.db.serving import Server


@pytest.fixture(scope="session")
def model_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving.running(tmp_path_factory.mktemp("models")) as server:
        yield server


@pytest.fixture
def model_server(model_process: Server, settings: Any) -> Server:
    """Where a completer may reach it, with a log that begins with the test."""
    settings.OPSPILOT_EGRESS_PRIVATE = ["127.0.0.1"]
    model_process.log.unlink(missing_ok=True)
    return model_process
