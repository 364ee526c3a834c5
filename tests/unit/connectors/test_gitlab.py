from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator

import httpx
import pytest

from opspilot.connectors.errors import (
    ConnectorError,
    NotSentError,
    OutcomeUnknownError,
    RefusedByRemoteError,
    ThrottledError,
)
from opspilot.connectors.gitlab import GitLab
from opspilot.connectors.http import BoundedClient

Handler = Callable[[httpx.Request], httpx.Response]
BODY = {"title": "t", "description": "d\n\nopk1", "confidential": False}
ISSUE = {
    "id": 9, "iid": 1, "project_id": 412, "title": "t", "description": "d\n\nopk1",
    "state": "opened", "labels": [], "author": {"id": 900}, "assignees": [],
    "confidential": False, "web_url": "http://x/1",
}  # fmt: skip


def gitlab(handler: Handler) -> GitLab:
    client = BoundedClient(
        base_url="http://gitlab.example",
        token="segredo",
        timeout=2.0,
        transport=httpx.MockTransport(handler),
    )
    return GitLab(client)


def raising(error: type[httpx.HTTPError]) -> Handler:
    def handler(request: httpx.Request) -> httpx.Response:
        raise error("x")

    return handler


def answering(status: int, **arguments: object) -> Handler:
    return lambda request: httpx.Response(status, **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("handler", "expected"),
    [
        (raising(httpx.ConnectError), NotSentError),
        (raising(httpx.ConnectTimeout), NotSentError),
        (raising(httpx.PoolTimeout), NotSentError),
        (raising(httpx.UnsupportedProtocol), NotSentError),
        (raising(httpx.WriteError), OutcomeUnknownError),
        (raising(httpx.WriteTimeout), OutcomeUnknownError),
        (raising(httpx.ReadTimeout), OutcomeUnknownError),
        (raising(httpx.ReadError), OutcomeUnknownError),
        (raising(httpx.RemoteProtocolError), OutcomeUnknownError),
        (answering(500, json={"message": "500"}), OutcomeUnknownError),
        (answering(502, text="<html>"), OutcomeUnknownError),
        (answering(524), OutcomeUnknownError),
        (answering(408), OutcomeUnknownError),
        (answering(200, text="<html>login</html>"), OutcomeUnknownError),
        (answering(200, json=[]), OutcomeUnknownError),
        (answering(201, json={"id": 1}), OutcomeUnknownError),
        (answering(201, content=b'{"id": 1, "iid"'), OutcomeUnknownError),
        (answering(201, json=ISSUE | {"project_id": 999}), OutcomeUnknownError),
        (answering(201, content=b"[" * 100_000), OutcomeUnknownError),
        (answering(201, json=ISSUE | {"labels": None}), OutcomeUnknownError),
        (answering(201, json=ISSUE | {"iid": "x"}), OutcomeUnknownError),
        (answering(201, json=ISSUE | {"assignees": [None]}), OutcomeUnknownError),
        (answering(409, json={"message": "Duplicated issue"}), OutcomeUnknownError),
        (answering(409, json={"needs_captcha_response": True}), RefusedByRemoteError),
        (answering(400, json={"error": "title is missing"}), RefusedByRemoteError),
        (answering(401), RefusedByRemoteError),
        (answering(403), RefusedByRemoteError),
        (answering(404), RefusedByRemoteError),
        (answering(405), RefusedByRemoteError),
        (answering(422), RefusedByRemoteError),
        (answering(301, headers={"Location": "http://evil.example/"}), RefusedByRemoteError),
        (answering(307, headers={"Location": "http://evil.example/"}), RefusedByRemoteError),
        (answering(429), ThrottledError),
    ],
)
def test_each_failure_says_what_the_caller_may_do_next(
    handler: Handler, expected: type[ConnectorError]
) -> None:
    with pytest.raises(expected):
        gitlab(handler).create(412, BODY)


def test_the_body_is_sent_once_as_it_is_with_a_bearer_token() -> None:
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(201, json=ISSUE)

    issue = gitlab(handler).create(412, BODY)
    assert issue.iid == 1
    assert len(seen) == 1
    assert seen[0].url.path == "/api/v4/projects/412/issues"
    assert seen[0].headers["Authorization"] == "Bearer segredo"
    assert "PRIVATE-TOKEN" not in seen[0].headers


@pytest.mark.parametrize(
    ("headers", "low", "high"),
    [
        ({"Retry-After": "7"}, 7, 7),
        ({"Retry-After": "-5"}, 1, 30),
        ({"Retry-After": "999999"}, 3600, 3600),
        ({"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}, 1, 1),
        ({"Retry-After": "nonsense, really"}, 25, 31),
        ({"RateLimit-Reset": "1"}, 1, 1),
        ({}, 30, 30),
    ],
)
def test_the_wait_is_believed_only_within_bounds(
    headers: dict[str, str], low: float, high: float
) -> None:
    with pytest.raises(ThrottledError) as caught:
        gitlab(answering(429, headers=headers)).create(412, BODY)
    assert low <= caught.value.retry_after <= high


def test_looking_up_reads_the_list_page_by_page_and_never_searches() -> None:
    page = [ISSUE | {"iid": n, "description": "outra"} for n in range(2, 102)]
    pages: Iterator[list[dict[str, object]]] = iter([page, [ISSUE]])
    queries: list[httpx.QueryParams] = []

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/v4/user":
            return httpx.Response(200, json={"id": 900})
        queries.append(request.url.params)
        return httpx.Response(200, json=next(pages))

    since = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)
    found = gitlab(handler).find(412, "opk1", since=since)
    assert [issue.iid for issue in found] == [1]
    assert [query["page"] for query in queries] == ["1", "2"]
    assert all("search" not in query for query in queries)
    assert queries[0]["author_id"] == "900"


def test_a_marker_in_somebody_elses_issue_is_not_ours() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/v4/user":
            return httpx.Response(200, json={"id": 900})
        return httpx.Response(200, json=[ISSUE | {"author": {"id": 7}}])

    since = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)
    assert gitlab(handler).find(412, "opk1", since=since) == []


def test_an_address_no_browser_should_open_is_not_kept() -> None:
    hostile = answering(201, json=ISSUE | {"web_url": "javascript:alert(1)"})
    assert gitlab(hostile).create(412, BODY).url == ""


def test_an_issue_we_did_not_mark_cannot_break_the_look_up() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/v4/user":
            return httpx.Response(200, json={"id": 900})
        return httpx.Response(200, json=[{"description": None, "labels": None}, ISSUE])

    since = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)
    assert [issue.iid for issue in gitlab(handler).find(412, "opk1", since=since)] == [1]


def test_no_message_repeats_the_token_or_the_remotes_text() -> None:
    with pytest.raises(ConnectorError) as caught:
        gitlab(answering(403, text="segredo em eco")).create(412, BODY)
    assert "segredo" not in str(caught.value)
