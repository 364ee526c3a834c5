"""GitLab REST v4: create an issue once, find it again by its marker, close it. Numeric ids only."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from opspilot.connectors import gitlab_answers as answers
from opspilot.connectors.errors import ConnectorError, OutcomeUnknownError, UnmarkedError
from opspilot.connectors.http import BoundedClient
from opspilot.connectors.issues import OpenIssues, RemoteIssue, RemoteNote

MAX_PAGES = 50
_MARKER = re.compile(r"(?<!\w)opk[0-9a-z]+(?!\w)")
_PAGE = 100  # the most the remote gives at once


class GitLab:
    """An IssueTracker with IssueNotes. The caller decides what a failure means; nothing here
    retries.
    """

    def __init__(self, client: BoundedClient) -> None:
        self._client = client
        self._user_id: int | None = None

    def own_id(self) -> int:
        return self._author()

    def project_path(self, project_id: int) -> str:
        project = self._get(f"/api/v4/projects/{project_id:d}")
        return str(answers.field(project, "path_with_namespace"))

    def create(self, project_id: int, body: Mapping[str, Any]) -> RemoteIssue:
        """The description's last line is the marker: an answer without it is another issue's."""
        answer = self._client.request("POST", _issues(project_id), json=dict(body))
        if answer.status != 201:
            raise answers.failure(answer)
        issue = answers.issue(answer.json())
        marker = str(body.get("description", "")).rstrip().rpartition("\n")[2]
        if issue.project_id != project_id or not _carries(issue.description, marker):
            raise OutcomeUnknownError("the answer speaks of another issue")
        return issue

    def find(self, project_id: int, marker: str, *, since: dt.datetime) -> list[RemoteIssue]:
        author = self._author()
        # What matters of it: a list may be long, and each description a megabyte.
        rows = [
            row
            for row in self._created_since(project_id, author, since)
            if _carries(str(row.get("description")), marker) or _is_unmarked(row, author)
        ]
        found = _ours(iter(rows), project_id, author, marker)
        found = found or self._searched(project_id, author, marker)
        if not found and any(_is_unmarked(row, author) for row in rows):
            raise UnmarkedError("an issue of our own has lost its marker: it may be the one")
        return found

    def get(self, project_id: int, iid: int) -> RemoteIssue:
        issue = answers.issue(self._get(f"{_issues(project_id)}/{iid:d}"))
        return _same(issue, project_id, iid)

    def close(self, project_id: int, iid: int) -> RemoteIssue:
        path = f"{_issues(project_id)}/{iid:d}"
        answer = self._client.request("PUT", path, json={"state_event": "close"})
        if answer.status != 200:
            raise answers.failure(answer)
        issue = _same(answers.issue(answer.json()), project_id, iid)
        if issue.state != "closed":
            raise OutcomeUnknownError("the issue is said to be still open")
        return issue

    def notes(self, project_id: int, iid: int) -> list[RemoteNote]:
        path = f"{_issues(project_id)}/{iid:d}/notes"
        pages = self._pages(path, {"order_by": "created_at", "sort": "asc"})
        return [answers.note(row) for row in pages]

    def add_note(self, project_id: int, iid: int, body: str) -> RemoteNote:
        path = f"{_issues(project_id)}/{iid:d}/notes"
        answer = self._client.request("POST", path, json={"body": body})
        if answer.status != 201:  # 202: it was all commands, and they have run
            raise answers.failure(answer)
        return answers.note(answer.json())

    def _created_since(
        self, project_id: int, author: int, since: dt.datetime
    ) -> Iterator[dict[str, Any]]:
        """By the plain list: search is written later and can stay blind."""
        query = {
            "author_id": author,
            "created_after": since.astimezone(dt.UTC).isoformat(),
            "state": "all",
            "order_by": "created_at",
            "sort": "desc",
        }
        return self._pages(_issues(project_id), query)

    def _searched(self, project_id: int, author: int, marker: str) -> list[RemoteIssue]:
        """Asks without an author and a date, where the list found nothing: a clock may be wrong.

        The list alone says that nothing is there, so a search that fails takes nothing from it.
        """
        query = {"search": marker, "in": "description", "state": "all", "per_page": _PAGE}
        with suppress(ConnectorError):
            rows = answers.rows_of(self._client.request("GET", _issues(project_id), params=query))
            dicts = (row for row in rows if isinstance(row, dict))
            return _ours(dicts, project_id, author, marker)
        return []

    def _pages(self, path: str, query: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for page in range(1, MAX_PAGES + 1):
            paged = {**query, "per_page": _PAGE, "page": page}
            answer = self._client.request("GET", path, params=paged)
            rows = answers.rows_of(answer)
            yield from (row for row in rows if isinstance(row, dict))
            if answers.is_last(answer, rows, _PAGE):
                return
        raise OutcomeUnknownError("the list is longer than we read")

    def _author(self) -> int:
        if self._user_id is None:
            self._user_id = answers.user_id(self._get("/api/v4/user"))
        return self._user_id

    def _get(self, path: str) -> Any:
        answer = self._client.request("GET", path)
        if answer.status != 200:
            raise answers.failure(answer)
        return answer.json()


class GitLabLists:
    """An IssueLists: it has no way to send anything."""

    def __init__(self, client: BoundedClient) -> None:
        self._client = client

    def open_issues(self, project_id: int, *, pages: int) -> OpenIssues:
        """By the plain list: search is written later and can stay blind for what is new."""
        query = {"state": "opened", "order_by": "created_at", "sort": "desc", "per_page": _PAGE}
        found: list[Any] = []
        for page in range(1, pages + 1):
            answer = self._client.request(
                "GET", _issues(project_id), params={**query, "page": page}
            )
            rows = answers.rows_of(answer)
            found += [answers.open_issue(row) for row in rows]
            if answers.is_last(answer, rows, _PAGE):
                return OpenIssues(tuple(found), complete=True)
        return OpenIssues(tuple(found), complete=False)


def _issues(project_id: int) -> str:
    return f"/api/v4/projects/{project_id:d}/issues"


def _ours(
    rows: Iterator[dict[str, Any]], project_id: int, author: int, marker: str
) -> list[RemoteIssue]:
    """Of these, the bot's own of this project with exactly this marker, lowest number first.

    Only what carries the marker is read whole: another issue's oddities are not ours. One that a
    newcomer moved on to the next page while we read is there twice, and counts once.
    """
    marked = [answers.issue(row) for row in rows if _carries(str(row.get("description")), marker)]
    found = {i.iid: i for i in marked if i.author_id == author and i.project_id == project_id}
    return [found[iid] for iid in sorted(found)]


def _carries(text: str, marker: str) -> bool:
    """As a word of its own: search finds by beginnings, and a longer word is another marker."""
    return bool(marker) and bool(re.search(rf"(?<!\w){re.escape(marker)}(?!\w)", text))


def _is_unmarked(row: dict[str, Any], author: int) -> bool:
    """Made by us and without any marker, so by nobody who acts through us: somebody took it out."""
    maker = row.get("author")
    ours = not isinstance(maker, dict) or maker.get("id") == author
    return ours and not _MARKER.search(str(row.get("description")))


def _same(issue: RemoteIssue, project_id: int, iid: int) -> RemoteIssue:
    if (issue.project_id, issue.iid) != (project_id, iid):
        raise OutcomeUnknownError("the answer speaks of another issue")
    return issue
