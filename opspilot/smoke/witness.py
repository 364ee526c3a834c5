"""The recording process as the one who checks sees it: what went by, and a look of our own."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from opspilot.bootstrap.errors import BootstrapError
from opspilot.smoke.recording import KEPT, LOOK

WRITES = {"POST", "PUT", "PATCH", "DELETE"}
Entry = dict[str, Any]


@dataclass
class Witness:
    """Its own questions are marked as looks in what is kept, apart from the console's."""

    url: str
    token: str = field(repr=False)

    def requests(self) -> list[Entry]:
        """All that went by, oldest first."""
        found: list[Entry] = self._get(KEPT).json()
        return found

    def writes(self) -> list[Entry]:
        return [entry for entry in self.requests() if entry["method"] in WRITES]

    def issues_with(self, *, project: int, marker: str) -> list[dict[str, Any]]:
        """The remote's own word: every issue of the project whose text carries the marker."""
        path = f"/api/v4/projects/{project:d}/issues?per_page=100&state=all&scope=all"
        rows = self._get(path).json()
        return [row for row in rows if marker in str(row.get("description"))]

    def issue(self, *, project: int, iid: int) -> dict[str, Any]:
        found: dict[str, Any] = self._get(f"/api/v4/projects/{project:d}/issues/{iid:d}").json()
        return found

    def tasks_with(self, *, project: int, template: int, marker: str) -> list[dict[str, Any]]:
        """The remote's own word: every task of the template whose message is the marker."""
        path = f"/api/project/{project:d}/templates/{template:d}/tasks/last?limit=200"
        return [row for row in self._get(path).json() or [] if row.get("message") == marker]

    def task(self, *, project: int, number: int) -> dict[str, Any]:
        found: dict[str, Any] = self._get(f"/api/project/{project:d}/tasks/{number:d}").json()
        return found

    def output(self, *, project: int, number: int) -> str:
        """What the task printed, by the list that every release has."""
        rows = self._get(f"/api/project/{project:d}/tasks/{number:d}/output").json() or []
        return "".join(f"{row.get('output') or ''}\n" for row in rows)

    def _get(self, path: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}", LOOK: "1"}
        answer = httpx.get(self.url + path, headers=headers, timeout=30.0, trust_env=False)
        return answer.raise_for_status()


@contextmanager
def witness(*, upstream: str, token: str) -> Iterator[Witness]:
    """Between here and `upstream` for as long as the block runs."""
    shown = secrets.token_urlsafe(24)
    environ = os.environ | {
        "OPSPILOT_RECORDED_URL": upstream,
        "OPSPILOT_RECORDED_TOKEN": token,
        "OPSPILOT_RECORDER_TOKEN": shown,
    }
    child = subprocess.Popen(
        [sys.executable, "-m", "opspilot.smoke.recording"],
        env=environ,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        line = child.stdout.readline() if child.stdout else ""
        _, ready, address = line.strip().partition("ready on ")
        if not ready:
            raise BootstrapError("the recording process did not start")
        yield Witness(f"http://{address}", shown)
    finally:
        child.terminate()
        child.wait(10)
        if child.stdout is not None:
            child.stdout.close()
