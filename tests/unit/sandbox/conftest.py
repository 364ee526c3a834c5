from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from opspilot.sandbox.process import SandboxProcess, start_gitlab

TOKEN = "glsandbox-unit-4f1c"
CONTRACT = Path(__file__).parents[4] / "shared" / "contracts" / "gitlab.openapi.yaml"


@pytest.fixture(scope="session")
def running_gitlab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxProcess]:
    process = start_gitlab(data=tmp_path_factory.mktemp("gitlab"), token=TOKEN)
    yield process
    process.stop()


@pytest.fixture(scope="session")
def open_door(running_gitlab: SandboxProcess) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{running_gitlab.base_url}/_sandbox", timeout=5) as client:
        yield client


@pytest.fixture(scope="session")
def open_api(running_gitlab: SandboxProcess) -> Iterator[httpx.Client]:
    base_url, headers = f"{running_gitlab.base_url}/api/v4", {"Authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=base_url, headers=headers, timeout=5) as client:
        yield client


@pytest.fixture
def gitlab(running_gitlab: SandboxProcess, open_door: httpx.Client) -> SandboxProcess:
    """The shared process, emptied and back to its first settings."""
    open_door.post("/reset").raise_for_status()
    return running_gitlab


@pytest.fixture
def door(gitlab: SandboxProcess, open_door: httpx.Client) -> httpx.Client:
    return open_door


@pytest.fixture
def api(gitlab: SandboxProcess, open_api: httpx.Client) -> httpx.Client:
    return open_api


@pytest.fixture
def start() -> Iterator[Callable[..., SandboxProcess]]:
    """Starts processes of the test's own; what still runs at its end is killed."""
    started: list[SandboxProcess] = []

    def run(data: Path, seed: Path | None = None) -> SandboxProcess:
        started.append(start_gitlab(data=data, token=TOKEN, seed=seed))
        return started[-1]

    yield run
    for process in started:
        process.kill()


@pytest.fixture
def contract() -> Path:
    if not CONTRACT.exists():
        pytest.skip(f"the contract file is not beside the repository: {CONTRACT.name}")
    return CONTRACT
