"""The port to an issue tracker, and the values that cross it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class RemoteIssue:
    """An issue as the remote says it is; compare it with what was approved, field by field."""

    project_id: int
    iid: int
    id: int
    url: str
    title: str
    description: str
    labels: frozenset[str]
    assignee_ids: frozenset[int]
    confidential: bool
    state: str
    author_id: int


class IssueTracker(Protocol):
    def project_path(self, project_id: int) -> str:
        """The path the numeric id stands for now. Raises any ConnectorError."""
        ...

    def create(self, project_id: int, body: Mapping[str, Any]) -> RemoteIssue:
        """Send exactly this body, once. Raises any ConnectorError; never retries."""
        ...

    def find(self, project_id: int, marker: str, *, since: dt.datetime) -> list[RemoteIssue]:
        """Our own issues since then whose description holds the marker, lowest iid first."""
        ...
