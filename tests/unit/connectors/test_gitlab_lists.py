from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from opspilot.connectors.errors import (
    NotSentError,
    OutcomeUnknownError,
    RefusedByRemoteError,
    ThrottledError,
)
from opspilot.connectors.gitlab import GitLabLists
from opspilot.connectors.http import BoundedClient

ROW = {"iid": 7, "title": "Fila parada", "web_url": "https://git.example/7"}


def lists(handler: Callable[[httpx.Request], httpx.Response]) -> GitLabLists:
    client = BoundedClient(
        base_url="http://gitlab.example",
        token="segredo",
        timeout=2.0,
        transport=httpx.MockTransport(handler),
    )
    return GitLabLists(client)


def test_it_reads_open_issues_by_the_plain_list_and_not_by_search() -> None:
    asked: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json=[ROW])

    found = lists(handler).open_issues(412, pages=3)
    assert [issue.iid for issue in found.issues] == [7]
    assert found.complete
    assert [(r.method, r.url.path) for r in asked] == [("GET", "/api/v4/projects/412/issues")]
    assert asked[0].url.params["state"] == "opened"
    assert "search" not in asked[0].url.params


def test_it_stops_at_the_last_page_it_may_read_and_says_so() -> None:
    asked: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.params["page"])
        return httpx.Response(200, json=[ROW] * 100)

    found = lists(handler).open_issues(412, pages=2)
    assert asked == ["1", "2"]
    assert (len(found.issues), found.complete) == (200, False)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (httpx.Response(403), RefusedByRemoteError),
        (httpx.Response(301, headers={"Location": "http://evil.example"}), RefusedByRemoteError),
        (httpx.Response(429, headers={"Retry-After": "9"}), ThrottledError),
        (httpx.Response(503), OutcomeUnknownError),
        (httpx.Response(200, json={"issues": []}), OutcomeUnknownError),
        (httpx.Response(200, json=[{"iid": 1}]), OutcomeUnknownError),
        (httpx.Response(200, json=[ROW | {"iid": "x"}]), OutcomeUnknownError),
        (httpx.Response(200, json=[None]), OutcomeUnknownError),
        (httpx.Response(200, text="<html>"), OutcomeUnknownError),
    ],
)
def test_each_answer_that_is_no_list_is_said_to_be_none(
    answer: httpx.Response, expected: type[Exception]
) -> None:
    with pytest.raises(expected):
        lists(lambda request: answer).open_issues(412, pages=1)


def test_a_remote_that_cannot_be_reached_is_said_to_be() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("x")

    with pytest.raises(NotSentError):
        lists(handler).open_issues(412, pages=1)


def test_an_address_that_a_browser_should_not_open_is_left_out() -> None:
    row = ROW | {"web_url": "javascript:alert(1)"}
    found = lists(lambda request: httpx.Response(200, json=[row])).open_issues(412, pages=1)
    assert found.issues[0].url == ""
