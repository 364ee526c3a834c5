"""The sandbox GitLab's control door: order faults, and see what was really stored."""

from __future__ import annotations

from typing import Any

import httpx

Issue = dict[str, Any]


class Sandbox:
    """Never asked by the product; only by who checks it."""

    def __init__(self, base_url: str) -> None:
        self._client = httpx.Client(base_url=f"{base_url}/_sandbox", timeout=10.0, trust_env=False)

    def close(self) -> None:
        self._client.close()

    def order(self, kind: str, **values: Any) -> None:
        """The next request that fits meets this fault, once."""
        self._client.post("/faults", json=[{"kind": kind, **values}]).raise_for_status()

    def configure(self, **values: Any) -> None:
        """What the sandbox is, until told otherwise: its latency, its token's rights …"""
        self._client.post("/config", json=values).raise_for_status()

    def forget_faults(self) -> None:
        self._client.delete("/faults").raise_for_status()

    def issues(self, marker: str) -> list[Issue]:
        """All that carry the marker, in any project and any state."""
        answer = self._client.get("/issues").raise_for_status()
        return [issue for issue in answer.json() if marker in issue["description"]]

    def requests(self) -> list[dict[str, Any]]:
        """All that reached the sandbox's API, oldest first."""
        found: list[dict[str, Any]] = self._client.get("/log").raise_for_status().json()
        return found

    def creations(self) -> list[dict[str, Any]]:
        """The requests to create an issue that reached the sandbox, oldest first."""
        return [entry for entry in self.requests() if entry["operation"] == "createIssue"]
