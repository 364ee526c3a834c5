"""What the tests of the sandbox send, and how they look at what it did."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any

import httpx

from opspilot.connectors.http import BoundedClient
from opspilot.connectors.semaphore import Semaphore

TOKEN = "semaphore-unit-4f1c"
TASKS = "/project/4/tasks"
Row = dict[str, Any]


def adapter(base_url: str, *, token: str = TOKEN, timeout: float = 5.0) -> Semaphore:
    client = BoundedClient(base_url=base_url, token=token, timeout=timeout)
    return Semaphore(client, base_url=base_url)


def body(hosts: Sequence[str] = ("host-1",), *, template: int = 25, **more: Any) -> Row:
    """As the console sends it."""
    return {
        "template_id": template,
        "params": {"limit": list(hosts)},
        "limit": ",".join(hosts),
        "environment": json.dumps(more.pop("variables", {})),
        "message": more.pop("marker", "opk-1"),
        **more,
    }


def stored(door: httpx.Client, task_id: int) -> Row:
    rows: list[Row] = door.get("/tasks").json()
    return next(row for row in rows if row["id"] == task_id)


def sent(door: httpx.Client) -> list[Row]:
    """The requests to start a task that reached the sandbox."""
    rows: list[Row] = door.get("/log").json()
    return [row for row in rows if row["operation"] == "startTask"]


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.02)
