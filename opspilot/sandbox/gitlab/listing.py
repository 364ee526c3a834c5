"""Filtering, late search and paging. The list is exact; only `search=` is late."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar
from urllib.parse import urlencode

from opspilot.sandbox.gitlab import parameters
from opspilot.sandbox.gitlab.messages import Request, bad_parameter
from opspilot.sandbox.gitlab.model import Issue, Settings, stamp

Item = TypeVar("Item")
Key = tuple[str, int]

_PAGE_LIMIT = 100
_PAGE_DEFAULT = 20
_FIELDS = ("title", "description", "title,description", "description,title")
_WORD = re.compile(r"[^\W_]+")
_INDEX_RUN_LIMIT = 50
_STATES = ("opened", "closed", "all")
_SORTS = ("asc", "desc")
_ORDERS = ("created_at", "updated_at")


@dataclass(frozen=True)
class Page:
    items: Sequence[Any]
    headers: dict[str, str]


def select(request: Request, issues: list[Issue], settings: Settings, at: datetime) -> list[Issue]:
    tests = [*_field_tests(request), *_time_tests(request), *_search_tests(request, settings, at)]
    return [issue for issue in issues if all(test(issue) for test in tests)]


def order(request: Request, issues: list[Issue]) -> list[Issue]:
    return sorted(issues, key=_key(request), reverse=_descending(request))


def issue_page(request: Request, issues: list[Issue], url: str) -> Page:
    """`issues` in order, cut by cursor when the client asks for keyset paging."""
    keyset = parameters.choice(request.first("pagination"), "pagination", ("keyset", "offset"))
    if keyset == "keyset":
        return _keyset_page(request, issues, url)
    return offset_page(request, issues, url)


def offset_page(request: Request, items: Sequence[Item], url: str) -> Page:
    page = parameters.positive(request, "page", 1)
    size = _size(request)
    last = max(1, -(-len(items) // size))
    following = page + 1 if page < last else None
    links = {"prev": page - 1 if 1 < page <= last + 1 else None, "next": following}
    targets = {**links, "first": 1, "last": last}
    headers = {
        "Link": ", ".join(
            f'<{_url(request, url, page=str(number), per_page=str(size))}>; rel="{name}"'
            for name, number in targets.items()
            if number is not None
        ),
        "X-Page": str(page),
        "X-Per-Page": str(size),
        "X-Next-Page": str(following or ""),
        "X-Prev-Page": str(links["prev"] or ""),
        "X-Total": str(len(items)),
        "X-Total-Pages": str(last),
    }
    return Page(items[(page - 1) * size : page * size], headers)


def _keyset_page(request: Request, issues: list[Issue], url: str) -> Page:
    key, size = _key(request), _size(request)
    cursor = request.first("cursor")
    if cursor:
        seen, down = _read_cursor(cursor), _descending(request)
        issues = [issue for issue in issues if (key(issue) < seen if down else key(issue) > seen)]
    if len(issues) <= size:
        return Page(issues, {})
    following = _url(request, url, per_page=str(size), cursor=_cursor(key(issues[size - 1])))
    return Page(issues[:size], {"Link": f'<{following}>; rel="next"'})


def _field_tests(request: Request) -> list[Callable[[Issue], bool]]:
    tests: list[Callable[[Issue], bool]] = []
    state = parameters.choice(request.first("state"), "state", _STATES)
    if state in {"opened", "closed"}:
        tests.append(lambda issue: issue.state == state)
    authors = parameters.query_integers(request, "author_id")
    if authors:
        tests.append(lambda issue: issue.author_id == authors[0])
    iids = parameters.query_integers(request, "iids[]")
    if iids:
        tests.append(lambda issue: issue.iid in iids)
    labels = [name.strip() for name in (request.first("labels") or "").split(",") if name.strip()]
    tests.append(lambda issue: set(labels) <= set(issue.labels))
    return tests


def _time_tests(request: Request) -> list[Callable[[Issue], bool]]:
    after = parameters.moment(request, "created_after")
    before = parameters.moment(request, "created_before")
    tests: list[Callable[[Issue], bool]] = []
    if after is not None:
        tests.append(lambda issue: datetime.fromisoformat(issue.created_at) >= after)
    if before is not None:
        tests.append(lambda issue: datetime.fromisoformat(issue.created_at) <= before)
    return tests


def _search_tests(
    request: Request, settings: Settings, at: datetime
) -> list[Callable[[Issue], bool]]:
    term = request.first("search")
    where = parameters.choice(request.first("in"), "in", _FIELDS) or "title,description"
    if not term:
        return []
    if settings.search_delay is None:
        return [lambda _issue: False]
    indexed = stamp(at - timedelta(seconds=settings.search_delay))
    prefixes = _words(term)
    return [
        lambda issue: issue.created_at <= indexed and not issue.search_blind,
        lambda issue: _found(prefixes, _searched(issue, where)),
    ]


def _found(prefixes: list[str], text: str) -> bool:
    words = _words(text)
    return bool(prefixes) and all(
        any(word.startswith(prefix) for word in words) for prefix in prefixes
    )


def _words(text: str) -> list[str]:
    """As the older index does: tags and comments do not count, nor do very long runs."""
    plain = re.sub(r"<[^>]*>", " ", text)
    return [word.lower() for word in _WORD.findall(plain) if len(word) < _INDEX_RUN_LIMIT]


def _searched(issue: Issue, where: str) -> str:
    return "\n".join(getattr(issue, name) for name in where.split(","))


def _key(request: Request) -> Callable[[Issue], Key]:
    name = parameters.choice(request.first("order_by"), "order_by", _ORDERS) or "created_at"
    return lambda issue: (getattr(issue, name), issue.id)


def _descending(request: Request) -> bool:
    return (parameters.choice(request.first("sort"), "sort", _SORTS) or "desc") == "desc"


def _size(request: Request) -> int:
    return min(parameters.positive(request, "per_page", _PAGE_DEFAULT), _PAGE_LIMIT)


def _url(request: Request, url: str, **changes: str) -> str:
    kept = [(name, value) for name, value in request.query if name not in changes]
    return f"{url}?{urlencode([*kept, *changes.items()])}"


def _cursor(key: Key) -> str:
    return base64.urlsafe_b64encode(json.dumps(key).encode()).decode()


def _read_cursor(cursor: str) -> Key:
    try:
        moment, issue_id = json.loads(base64.urlsafe_b64decode(cursor))
    except (ValueError, TypeError, binascii.Error):
        raise bad_parameter("cursor is invalid") from None
    if not isinstance(moment, str) or not isinstance(issue_id, int):
        raise bad_parameter("cursor is invalid")
    return moment, issue_id
