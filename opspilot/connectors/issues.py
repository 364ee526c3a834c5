"""The port to an issue tracker, and the values that cross it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class RemoteIssue:
    """An issue as the remote says it is; compare it with what was approved, field by field.

    A new issue of ours has no due date, no milestone and no lock: any of them was set by a text.
    """

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
    due_date: str = ""
    has_milestone: bool = False
    locked: bool = False


@dataclass(frozen=True, slots=True)
class RemoteNote:
    """`system`: written by the remote itself, such as a mention in another issue."""

    id: int
    body: str
    author_id: int
    system: bool
    internal: bool


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
    def own_id(self) -> int:
        """The user our token speaks for: who the author of our issues is. Raises any ConnectorError."""
        ...

    def project_path(self, project_id: int) -> str:
        """The path the numeric id stands for now. Raises any ConnectorError."""
        ...

    def create(self, project_id: int, body: Mapping[str, Any]) -> RemoteIssue:
        """Send exactly this body, once. Raises any ConnectorError; never retries.

        The body's description ends in the marker's line.
        """
        ...

    def find(self, project_id: int, marker: str, *, since: dt.datetime) -> list[RemoteIssue]:
        """Our own issues since then whose description holds the marker, lowest iid first.

        Nothing found is no proof that nothing is there.
        """
        ...

    def get(self, project_id: int, iid: int) -> RemoteIssue:
        """The issue as it is now; RefusedByRemoteError with 404 where it is gone or unseen."""
        ...

    def close(self, project_id: int, iid: int) -> RemoteIssue:
        """Ask once that it be closed, and give it back closed. Raises any ConnectorError.

        OutcomeUnknownError also when the answer is an issue still open, or another one.
        """
        ...


class IssueNotes(Protocol):
    def notes(self, project_id: int, iid: int) -> list[RemoteNote]:
        """Oldest first, the remote's own among them. Raises any ConnectorError."""
        ...

    def add_note(self, project_id: int, iid: int, body: str) -> RemoteNote:
        """Send this once. Commands in a note run: the caller has made it inert, and compares.

        OutcomeUnknownError also when the body held only commands, which have then run.
        """
        ...
