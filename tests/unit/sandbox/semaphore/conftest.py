from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from opspilot.connectors.semaphore import Semaphore
from opspilot.sandbox.process import SandboxProcess, start_semaphore
from opspilot.sandbox.semaphore.players import find_program
from tests.unit.sandbox.semaphore.calls import TASKS, TOKEN, Row, adapter, stored

CONTRACT = Path(__file__).parents[5] / "shared" / "contracts" / "semaphore.openapi.yaml"


@pytest.fixture(scope="session")
def running_semaphore(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxProcess]:
    """Its tasks are played: what Ansible itself does has tests of its own."""
    folder = tmp_path_factory.mktemp("semaphore")
    process = start_semaphore(data=folder, token=TOKEN, player="played")
    yield process
    process.stop()


@pytest.fixture(scope="session")
def open_semaphore_door(running_semaphore: SandboxProcess) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{running_semaphore.base_url}/_sandbox", timeout=10) as client:
        yield client


@pytest.fixture(scope="session")
def open_semaphore_api(running_semaphore: SandboxProcess) -> Iterator[httpx.Client]:
    base_url, headers = f"{running_semaphore.base_url}/api", {"Authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=base_url, headers=headers, timeout=10) as client:
        yield client


@pytest.fixture
def semaphore(
    running_semaphore: SandboxProcess, open_semaphore_door: httpx.Client
) -> SandboxProcess:
    """The shared process, emptied, back to its first settings, and without its waits."""
    open_semaphore_door.post("/reset").raise_for_status()
    quick = {"start_delay": 0, "flush_delay": 0}
    open_semaphore_door.post("/config", json=quick).raise_for_status()
    return running_semaphore


@pytest.fixture
def door(semaphore: SandboxProcess, open_semaphore_door: httpx.Client) -> httpx.Client:
    return open_semaphore_door


@pytest.fixture
def api(semaphore: SandboxProcess, open_semaphore_api: httpx.Client) -> httpx.Client:
    return open_semaphore_api


@pytest.fixture
def runner(semaphore: SandboxProcess) -> Semaphore:
    """What the console uses, with a cache of its own."""
    return adapter(semaphore.base_url)


@pytest.fixture
def finish(api: httpx.Client) -> Callable[[int], Row]:
    """Waits until the task has ended and all its output is there."""

    def wait(task_id: int) -> Row:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            row: Row = api.get(f"{TASKS}/{task_id}").json()
            if row["end"]:
                return row
            time.sleep(0.02)
        raise AssertionError(f"the task is still {row['status']}")

    return wait


@pytest.fixture
def touched(
    api: httpx.Client, door: httpx.Client, finish: Callable[[int], Row]
) -> Callable[[Row], list[str]]:
    """Sends the body raw, and gives the hosts that the task really touched."""

    def send(body: Row) -> list[str]:
        task_id = finish(api.post(TASKS, json=body).json()["id"])["id"]
        return list(stored(door, task_id)["touched"])

    return send


@pytest.fixture
def start() -> Iterator[Callable[..., SandboxProcess]]:
    """Starts processes of the test's own; what still runs at its end is killed."""
    started: list[SandboxProcess] = []

    def run(data: Path, **options: Any) -> SandboxProcess:
        started.append(start_semaphore(data=data, token=TOKEN, **{"player": "played"} | options))
        return started[-1]

    yield run
    for process in started:
        process.kill()


@pytest.fixture
def contract() -> Path:
    if not CONTRACT.exists():
        pytest.skip(f"the contract file is not beside the repository: {CONTRACT.name}")
    return CONTRACT


@pytest.fixture
def ansible() -> str:
    program = find_program()
    if program is None:
        pytest.skip("there is no ansible-playbook beside the interpreter or on the PATH")
    return program
