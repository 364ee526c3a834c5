"""GitLab REST v4: create an issue once, find it again by its marker. Numeric ids only."""

from __future__ import annotations

import datetime as dt
import email.utils
from collections.abc import Iterator, Mapping
from typing import Any

from opspilot.connectors.errors import (
    OutcomeUnknownError,
    RefusedByRemoteError,
    ThrottledError,
)
from opspilot.connectors.http import Answer, BoundedClient
from opspilot.connectors.issues import OpenIssue, OpenIssues, RemoteIssue

MAX_PAGES = 50
MAX_WAIT = 3600.0  # seconds: the longest Retry-After we believe
_REFUSALS = frozenset({400, 401, 403, 404, 405, 422})


class GitLab:
    """An IssueTracker. The caller decides what a failure means; nothing here retries."""

    def __init__(self, client: BoundedClient) -> None:
        self._client = client
        self._user_id: int | None = None

    def project_path(self, project_id: int) -> str:
        project = self._get(f"/api/v4/projects/{project_id:d}", {})
        return str(_field(project, "path_with_namespace"))

    def create(self, project_id: int, body: Mapping[str, Any]) -> RemoteIssue:
        answer = self._client.request(
            "POST", f"/api/v4/projects/{project_id:d}/issues", json=dict(body)
        )
        if answer.status != 201:
            raise _failure(answer)
        issue = _issue(answer.json())
        if issue.project_id != project_id:
            raise OutcomeUnknownError("the answer speaks of another project")
        return issue

    def find(self, project_id: int, marker: str, *, since: dt.datetime) -> list[RemoteIssue]:
        author = self._author()
        rows = self._created_since(project_id, author, since)
        # Only what carries the marker is read whole: another issue's oddities are not ours.
        marked = [_issue(row) for row in rows if marker in str(row.get("description"))]
        found = [i for i in marked if i.author_id == author and i.project_id == project_id]
        return sorted(found, key=lambda issue: issue.iid)

    def _created_since(
        self, project_id: int, author: int, since: dt.datetime
    ) -> Iterator[dict[str, Any]]:
        """By the plain list, never by search: search is written later and can stay blind."""
        query = {
            "author_id": author,
            "created_after": since.astimezone(dt.UTC).isoformat(),
            "state": "all",
            "order_by": "created_at",
            "sort": "desc",
            "per_page": 100,
        }
        for page in range(1, MAX_PAGES + 1):
            rows = self._get(f"/api/v4/projects/{project_id:d}/issues", {**query, "page": page})
            if not isinstance(rows, list):
                raise OutcomeUnknownError("the list is not a list")
            yield from (row for row in rows if isinstance(row, dict))
            if len(rows) < 100:
                return
        raise OutcomeUnknownError("the list is longer than we read")

    def _author(self) -> int:
        if self._user_id is None:
            self._user_id = int(_field(self._get("/api/v4/user", {}), "id"))
        return self._user_id

    def _get(self, path: str, query: Mapping[str, Any]) -> Any:
        answer = self._client.request("GET", path, params=dict(query))
        if answer.status != 200:
            raise _failure(answer)
        return answer.json()


class GitLabLists:
    """An IssueLists: it has no way to send anything."""

    def __init__(self, client: BoundedClient) -> None:
        self._client = client

    def open_issues(self, project_id: int, *, pages: int) -> OpenIssues:
        """By the plain list: search is written later and can stay blind for what is new."""
        found: list[OpenIssue] = []
        for page in range(1, pages + 1):
            rows = self._page(project_id, page)
            found += [_open_issue(row) for row in rows]
            if len(rows) < 100:
                return OpenIssues(tuple(found), complete=True)
        return OpenIssues(tuple(found), complete=False)

    def _page(self, project_id: int, page: int) -> list[Any]:
        query = {
            "state": "opened",
            "order_by": "created_at",
            "sort": "desc",
            "per_page": 100,
            "page": page,
        }
        path = f"/api/v4/projects/{project_id:d}/issues"
        answer = self._client.request("GET", path, params=query)
        if answer.status != 200:
            raise _failure(answer)
        rows = answer.json()
        if not isinstance(rows, list):
            raise OutcomeUnknownError("the list is not a list")
        return rows


def _open_issue(row: Any) -> OpenIssue:
    try:
        return OpenIssue(
            iid=int(_field(row, "iid")),
            title=str(_field(row, "title"))[:255],
            url=_link(str(_field(row, "web_url"))),
        )
    except (TypeError, ValueError) as exc:
        raise OutcomeUnknownError("the answer is not a list of issues") from exc


def _failure(answer: Answer) -> Exception:
    """Sort an answer that is not the success the call has. The remote's text is not kept."""
    status = answer.status
    if status == 429:
        return ThrottledError("the remote is throttling", _wait(answer.headers))
    if status in _REFUSALS or 300 <= status < 400:
        return RefusedByRemoteError(f"the remote answered {status}", status)
    if status == 409 and b"needs_captcha_response" in answer.content:
        return RefusedByRemoteError("the remote asks for a captcha", status)
    return OutcomeUnknownError(f"the remote answered {status}")


def _wait(headers: Mapping[str, str]) -> float:
    """Seconds to wait: Retry-After (seconds or a date), then RateLimit-Reset, else 30; bounded."""
    now = dt.datetime.now(dt.UTC).timestamp()
    given, reset = headers.get("retry-after", ""), headers.get("ratelimit-reset", "")
    if _is_number(given):
        seconds = float(given)
    elif given:
        seconds = _date(given, default=now + 30.0) - now
    else:
        seconds = float(reset) - now if _is_number(reset) else 30.0
    return min(max(seconds, 1.0), MAX_WAIT)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _date(text: str, *, default: float) -> float:
    try:
        return email.utils.parsedate_to_datetime(text).timestamp()
    except ValueError:
        return default


def _issue(row: Any) -> RemoteIssue:
    """Read an answer; one that is not an issue leaves the outcome unknown."""
    try:
        return _read(row)
    except (TypeError, ValueError, AttributeError) as exc:
        raise OutcomeUnknownError("the answer is not an issue") from exc


def _read(row: Any) -> RemoteIssue:
    return RemoteIssue(
        project_id=int(_field(row, "project_id")),
        iid=int(_field(row, "iid")),
        id=int(_field(row, "id")),
        url=_link(str(_field(row, "web_url"))),
        title=str(_field(row, "title")),
        description=str(row.get("description") or ""),
        labels=frozenset(str(label) for label in _field(row, "labels")),
        assignee_ids=frozenset(int(_field(person, "id")) for person in _field(row, "assignees")),
        confidential=bool(_field(row, "confidential")),
        state=str(_field(row, "state")),
        author_id=int(_field(_field(row, "author"), "id")),
    )


def _link(url: str) -> str:
    """An address a browser may open; anything else a remote says is not one."""
    return url if url.startswith(("https://", "http://")) else ""


def _field(row: Any, name: str) -> Any:
    if not isinstance(row, dict) or name not in row:
        raise OutcomeUnknownError(f"the answer has no {name}")
    return row[name]
