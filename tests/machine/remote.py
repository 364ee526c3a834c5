"""The sandbox GitLab as a process of its own, and what its own log and store say was done."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from opspilot.connectors.gitlab import GitLab
from opspilot.connectors.http import BoundedClient
from opspilot.sandbox.process import start_gitlab
from tests.machine.companies import PROJECTS

TOKEN = "glsandbox-machine-7a20"
TIMEOUT = 5.0


@dataclass(frozen=True, slots=True)
class Created:
    """One issue the remote stored: the request as it logged it, the issue as it keeps it."""

    marker: str
    project_id: int
    issue: dict[str, Any]


@dataclass
class Remote:
    base_url: str
    door: httpx.Client
    tracker: GitLab
    _seen: int = field(default=0)

    def reset(self) -> None:
        self.door.post("/_sandbox/reset").raise_for_status()
        self._seen = 0

    def lose_next_answer(self) -> None:
        """The next request to create something is done, and its answer never arrives."""
        order = [{"kind": "drop_after", "path_contains": "/issues"}]
        self.door.post("/_sandbox/faults", json=order).raise_for_status()

    def created(self) -> list[Created]:
        """What was stored since the last call, by the remote's log."""
        entries = self.door.get("/_sandbox/log").raise_for_status().json()
        fresh, self._seen = entries[self._seen :], len(entries)
        made = [e for e in fresh if e["operation"] == "createIssue" and e["issue_iid"]]
        return [self._created(entry) for entry in made]

    def _created(self, entry: dict[str, Any]) -> Created:
        project_id = int(entry["path"].split("/projects/")[1].split("/")[0])
        issues = self.door.get("/_sandbox/issues").raise_for_status().json()
        (issue,) = [
            item
            for item in issues
            if (item["project_id"], item["iid"]) == (project_id, entry["issue_iid"])
        ]
        return Created(str(entry["marker"]), project_id, issue)


@contextmanager
def running(folder: Path) -> Iterator[Remote]:
    seed = folder / "seed.json"
    seed.write_text(json.dumps(_seed()), encoding="utf-8")
    process = start_gitlab(data=folder / "gitlab", token=TOKEN, seed=seed)
    client = BoundedClient(base_url=process.base_url, token=TOKEN, timeout=TIMEOUT)
    try:
        with httpx.Client(base_url=process.base_url, timeout=TIMEOUT) as door:
            yield Remote(process.base_url, door, GitLab(client))
    finally:
        process.stop()


def _seed() -> dict[str, Any]:
    places = [place for company in PROJECTS for place in company.values()]
    return {
        "bot": {"id": 900, "username": "opspilot-bot", "name": "opspilot-bot"},
        "users": [{"id": 319, "username": "plantao-infra", "name": "Plantão de infraestrutura"}],
        "projects": [
            {"id": id_, "path": path, "labels": ["incidente", "runbook"], "members": [319]}
            for id_, path in places
        ],
    }
