"""GitLab's answers, read defensively: what each means for the caller, and the values in them."""

from __future__ import annotations

import datetime as dt
import email.utils
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from opspilot.connectors.errors import (
    OutcomeUnknownError,
    RefusedByRemoteError,
    RemoteFaultError,
    ThrottledError,
)
from opspilot.connectors.http import Answer
from opspilot.connectors.issues import OpenIssue, RemoteIssue, RemoteNote

MAX_WAIT = 3600.0  # seconds: the longest Retry-After we believe
_REFUSALS = frozenset({400, 401, 403, 404, 405, 422})


def failure(answer: Answer) -> Exception:
    """Sort an answer that is not the success the call has. The remote's text is not kept.

    Whatever is not named here may have happened: 408, a 409 for a doubled number or a lock, a 2xx
    of another kind. Those are looked up first.
    """
    status = answer.status
    if status == 429:
        return ThrottledError("the remote is throttling", _wait(answer.headers))
    if status in _REFUSALS or 300 <= status < 400:
        return RefusedByRemoteError(f"the remote answered {status}", status)
    if status == 409 and _wants_a_captcha(answer.content):
        return RefusedByRemoteError("the remote asks for a captcha", status)
    if status >= 500:
        return RemoteFaultError(f"the remote answered {status}")
    return OutcomeUnknownError(f"the remote answered {status}")


def rows_of(answer: Answer) -> list[Any]:
    if answer.status != 200:
        raise failure(answer)
    rows = answer.json()
    if not isinstance(rows, list):
        raise OutcomeUnknownError("the list is not a list")
    return rows


def is_last(answer: Answer, rows: list[Any], size: int) -> bool:
    """By the remote's own word where it gives it: a page can be short and not the last."""
    following = answer.headers.get("x-next-page")
    return len(rows) < size if following is None else not following.strip()


def issue(row: Any) -> RemoteIssue:
    """Read an answer; one that is not an issue leaves the outcome unknown."""
    try:
        return _issue(row)
    except (TypeError, ValueError, AttributeError, OverflowError) as exc:
        raise OutcomeUnknownError("the answer is not an issue") from exc


def open_issue(row: Any) -> OpenIssue:
    try:
        return OpenIssue(
            iid=int(field(row, "iid")),
            title=str(field(row, "title"))[:255],
            url=_link(str(field(row, "web_url"))),
        )
    except (TypeError, ValueError, OverflowError) as exc:
        raise OutcomeUnknownError("the answer is not a list of issues") from exc


def note(row: Any) -> RemoteNote:
    try:
        return RemoteNote(
            id=int(field(row, "id")),
            body=str(field(row, "body")),
            author_id=int(field(field(row, "author"), "id")),
            system=bool(field(row, "system")),
            internal=bool(row.get("internal")),
        )
    except (TypeError, ValueError, OverflowError) as exc:
        raise OutcomeUnknownError("the answer is not a note") from exc


def user_id(row: Any) -> int:
    try:
        return int(field(row, "id"))
    except (TypeError, ValueError, OverflowError) as exc:
        raise OutcomeUnknownError("the answer is not a user") from exc


def field(row: Any, name: str) -> Any:
    if not isinstance(row, dict) or name not in row:
        raise OutcomeUnknownError(f"the answer has no {name}")
    return row[name]


def _issue(row: Any) -> RemoteIssue:
    return RemoteIssue(
        project_id=int(field(row, "project_id")),
        iid=int(field(row, "iid")),
        id=int(field(row, "id")),
        url=_link(str(field(row, "web_url"))),
        title=str(field(row, "title")),
        description=str(row.get("description") or ""),
        labels=frozenset(str(label) for label in field(row, "labels")),
        assignee_ids=frozenset(int(field(person, "id")) for person in field(row, "assignees")),
        confidential=bool(field(row, "confidential")),
        state=str(field(row, "state")),
        author_id=int(field(field(row, "author"), "id")),
        due_date=str(row.get("due_date") or ""),
        has_milestone=bool(row.get("milestone")),
        locked=bool(row.get("discussion_locked")),
    )


def _link(url: str) -> str:
    """An address a browser may open; anything else a remote says is not one."""
    try:
        return url if urlsplit(url).scheme in {"https", "http"} else ""
    except ValueError:
        return ""


def _wants_a_captcha(content: bytes) -> bool:
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(body, dict) and body.get("needs_captcha_response") is True


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
    except (ValueError, OverflowError):
        return default
