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


@dataclass(frozen=True, slots=True)
class OpenIssue:
    """What a list says of an open issue: enough to tell a person that it may be the same."""

    iid: int
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class OpenIssues:
    """The newest open issues of a project; `complete` is false where it has more."""

    issues: tuple[OpenIssue, ...]
    complete: bool


class IssueLists(Protocol):
    """A tracker that can be read and nothing else."""

    def open_issues(self, project_id: int, *, pages: int) -> OpenIssues:
        """At most `pages` × 100, newest first. Raises any ConnectorError; never retries."""
        ...


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
