"""The calls behind GitLab's check: GET and nothing else."""

from __future__ import annotations

import datetime as dt
import email.utils
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from opspilot.connectors import gitlab_answers as answers
from opspilot.connectors.errors import OutcomeUnknownError
from opspilot.connectors.gitlab_doctor import Member, Project, Token, Version
from opspilot.connectors.http import Answer, BoundedClient

MAX_PAGES = 20
_PAGE = 100
Value = TypeVar("Value")


class GitLabReads:
    """A GitLabReader: it has no way to send anything."""

    def __init__(self, client: BoundedClient) -> None:
        self._client = client

    def version(self) -> Version:
        before = dt.datetime.now(dt.UTC)
        answer = self._answer("/api/v4/metadata")
        number = str(answers.field(answer.json(), "version"))
        middle = before + (dt.datetime.now(dt.UTC) - before) / 2
        return Version(number, _skew(answer.headers.get("date", ""), middle))

    def token(self) -> Token:
        return _whole(_token, self._answer("/api/v4/personal_access_tokens/self").json())

    def user_id(self) -> int:
        return answers.user_id(self._answer("/api/v4/user").json())

    def project(self, project_id: int) -> Project:
        return _whole(_project, self._answer(f"/api/v4/projects/{project_id:d}").json())

    def labels(self, project_id: int) -> frozenset[str]:
        path = f"/api/v4/projects/{project_id:d}/labels"
        rows = self._rows(path, {"include_ancestor_groups": "true"})
        return frozenset(str(answers.field(row, "name")) for row in rows)

    def members(self, project_id: int, user_ids: Sequence[int]) -> tuple[Member, ...]:
        path = f"/api/v4/projects/{project_id:d}/members/all"
        rows = self._rows(path, {"user_ids[]": list(user_ids)})
        return tuple(_whole(_member, row) for row in rows)

    def _rows(self, path: str, query: dict[str, Any]) -> Iterator[Any]:
        for page in range(1, MAX_PAGES + 1):
            paged = {**query, "per_page": _PAGE, "page": page}
            answer = self._client.request("GET", path, params=paged)
            rows = answers.rows_of(answer)
            yield from rows
            if answers.is_last(answer, rows, _PAGE):
                return
        raise OutcomeUnknownError("the list is longer than we read")

    def _answer(self, path: str) -> Answer:
        answer = self._client.request("GET", path)
        if answer.status != 200:
            raise answers.failure(answer)
        return answer


def _whole(read: Callable[[Any], Value], row: Any) -> Value:
    try:
        return read(row)
    except (TypeError, ValueError, AttributeError) as exc:
        raise OutcomeUnknownError("the answer is not what was asked for") from exc


def _token(row: Any) -> Token:
    return Token(
        active=bool(answers.field(row, "active")),
        revoked=bool(answers.field(row, "revoked")),
        scopes=frozenset(str(scope) for scope in answers.field(row, "scopes")),
        user_id=int(answers.field(row, "user_id")),
        expires_on=_day(row.get("expires_at")),
    )


def _project(row: Any) -> Project:
    return Project(
        id=int(answers.field(row, "id")),
        path=str(answers.field(row, "path_with_namespace")),
        archived=bool(row.get("archived")),
        issues=str(row.get("issues_access_level") or ""),
    )


def _member(row: Any) -> Member:
    return Member(
        id=int(answers.field(row, "id")),
        state=str(row.get("state") or ""),
        access_level=int(answers.field(row, "access_level")),
        expires_on=_day(row.get("expires_at")),
    )


def _day(text: Any) -> dt.date | None:
    """A date, or a moment of which the date counts."""
    return dt.date.fromisoformat(str(text)[:10]) if text else None


def _skew(date: str, ours: dt.datetime) -> float | None:
    try:
        theirs = email.utils.parsedate_to_datetime(date)
        return theirs.timestamp() - ours.timestamp()
    except (ValueError, OverflowError):
        return None
