from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterator

import httpx
import pytest

from opspilot.connectors import gitlab_answers as answers
from opspilot.connectors.errors import (
    ConnectorError,
    NotSentError,
    OutcomeUnknownError,
    RefusedByRemoteError,
    RemoteFaultError,
    ThrottledError,
    UnmarkedError,
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

SINCE = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)


def gitlab(handler: Handler) -> GitLab:
    way = httpx.MockTransport(handler)
    base = "http://gitlab.example"
    return GitLab(BoundedClient(base_url=base, token="segredo", timeout=2.0, transport=way))


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
        (answering(409, json={"message": "Resource lock"}), OutcomeUnknownError),
        (answering(409, json={"needs_captcha_response": False}), OutcomeUnknownError),
        (answering(409, text="needs_captcha_response"), OutcomeUnknownError),
        (answering(409, json={"needs_captcha_response": True}), RefusedByRemoteError),
        (answering(200, json=ISSUE), OutcomeUnknownError),
        (answering(202, json=ISSUE), OutcomeUnknownError),
        (answering(204), OutcomeUnknownError),
        (answering(418), OutcomeUnknownError),
        (answering(201, json=ISSUE | {"description": "outra"}), OutcomeUnknownError),
        (answering(201, json=ISSUE | {"description": "d\n\nopk12"}), OutcomeUnknownError),
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


def test_an_address_that_cannot_be_parsed_is_not_kept() -> None:
    answer = answering(201, json=ISSUE | {"web_url": "http://[x/1"})
    assert gitlab(answer).create(412, BODY).url == ""


@pytest.mark.parametrize("name", ["iid", "id", "project_id"])
def test_a_number_without_an_end_is_no_issue_s(name: str) -> None:
    with pytest.raises(OutcomeUnknownError):
        answers.issue(ISSUE | {name: float("inf")})


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


@pytest.mark.parametrize("status", [500, 502, 503, 504, 520, 524])
def test_a_fault_of_the_remotes_own_counts_against_it(status: int) -> None:
    with pytest.raises(RemoteFaultError):
        gitlab(answering(status, text="<html>")).create(412, BODY)


def test_an_issue_seen_on_two_pages_counts_once() -> None:
    filler = [ISSUE | {"iid": n, "description": "outra"} for n in range(2, 101)]
    pages: Iterator[list[dict[str, object]]] = iter([[*filler, ISSUE], [ISSUE]])

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/v4/user":
            return httpx.Response(200, json={"id": 900})
        return httpx.Response(200, json=next(pages))

    since = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)
    assert [issue.iid for issue in gitlab(handler).find(412, "opk1", since=since)] == [1]


def test_a_short_page_is_not_the_last_where_the_remote_says_so() -> None:
    first = httpx.Response(200, json=[], headers={"X-Next-Page": "2"})
    last = httpx.Response(200, json=[ISSUE], headers={"X-Next-Page": ""})
    pages = iter([first, last])

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/v4/user":
            return httpx.Response(200, json={"id": 900})
        return next(pages)

    since = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)
    assert [issue.iid for issue in gitlab(handler).find(412, "opk1", since=since)] == [1]


def test_a_list_without_an_end_is_given_up_and_is_not_empty() -> None:
    asked: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/v4/user":
            return httpx.Response(200, json={"id": 900})
        asked.append(request.url.params["page"])
        return httpx.Response(200, json=[], headers={"X-Next-Page": "2"})

    with pytest.raises(OutcomeUnknownError):
        gitlab(handler).find(412, "opk1", since=dt.datetime(2026, 11, 30, tzinfo=dt.UTC))
    assert asked == [str(number) for number in range(1, 51)]


def test_search_is_asked_only_after_the_list_found_nothing() -> None:
    asked: list[httpx.QueryParams] = []

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/v4/user":
            return httpx.Response(200, json={"id": 900})
        asked.append(request.url.params)
        return httpx.Response(200, json=[ISSUE] if "search" in request.url.params else [])

    since = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)
    assert [issue.iid for issue in gitlab(handler).find(412, "opk1", since=since)] == [1]
    assert ["search" in query for query in asked] == [False, True]
    assert (asked[1]["search"], asked[1]["in"]) == ("opk1", "description")


def test_a_list_that_fails_is_never_replaced_by_a_search() -> None:
    asked: list[httpx.QueryParams] = []

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/v4/user":
            return httpx.Response(200, json={"id": 900})
        asked.append(request.url.params)
        return httpx.Response(503)

    with pytest.raises(RemoteFaultError):
        gitlab(handler).find(412, "opk1", since=dt.datetime(2026, 11, 30, tzinfo=dt.UTC))
    assert len(asked) == 1


@pytest.mark.parametrize("user", [{"id": "x"}, {"id": None}, {}, []])
def test_a_bot_nobody_can_name_finds_nothing_by_mistake(user: object) -> None:
    with pytest.raises(OutcomeUnknownError):
        gitlab(answering(200, json=user)).find(
            412, "opk1", since=dt.datetime(2026, 11, 30, tzinfo=dt.UTC)
        )


def test_what_a_text_could_have_set_is_read_too() -> None:
    set_by_text = {"due_date": "2026-08-01", "milestone": {"id": 3}, "discussion_locked": True}
    issue = gitlab(answering(201, json=ISSUE | set_by_text)).create(412, BODY)
    assert (issue.due_date, issue.has_milestone, issue.locked) == ("2026-08-01", True, True)


CLOSED = ISSUE | {"state": "closed"}


def test_closing_is_one_request_that_says_nothing_else() -> None:
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json=CLOSED)

    assert gitlab(handler).close(412, 1).state == "closed"
    assert [(r.method, r.url.path, json.loads(r.content)) for r in seen] == [
        ("PUT", "/api/v4/projects/412/issues/1", {"state_event": "close"})
    ]


@pytest.mark.parametrize(
    ("handler", "expected"),
    [
        (answering(200, json=ISSUE), OutcomeUnknownError),
        (answering(200, json=CLOSED | {"iid": 2}), OutcomeUnknownError),
        (answering(200, json=CLOSED | {"project_id": 413}), OutcomeUnknownError),
        (answering(200, json=[CLOSED]), OutcomeUnknownError),
        (answering(200, text="<html>login</html>"), OutcomeUnknownError),
        (answering(201, json=CLOSED), OutcomeUnknownError),
        (answering(408), OutcomeUnknownError),
        (answering(409, json={"message": "Resource lock"}), OutcomeUnknownError),
        (answering(409, json={"needs_captcha_response": True}), RefusedByRemoteError),
        (answering(500), RemoteFaultError),
        (answering(404), RefusedByRemoteError),
        (answering(405), RefusedByRemoteError),
        (answering(301, headers={"Location": "http://evil.example/"}), RefusedByRemoteError),
        (answering(429), ThrottledError),
        (raising(httpx.ConnectError), NotSentError),
        (raising(httpx.ReadTimeout), OutcomeUnknownError),
    ],
)
def test_a_closing_is_believed_only_from_the_issue_itself(
    handler: Handler, expected: type[ConnectorError]
) -> None:
    with pytest.raises(expected):
        gitlab(handler).close(412, 1)


@pytest.mark.parametrize("other", [{"iid": 2}, {"project_id": 413}])
def test_another_issue_is_no_proof_of_this_one(other: dict[str, int]) -> None:
    with pytest.raises(OutcomeUnknownError):
        gitlab(answering(200, json=ISSUE | other)).get(412, 1)


NOTE = {"id": 5, "body": "feito", "author": {"id": 900}, "system": False, "internal": False}


def test_a_note_is_sent_once_and_read_back() -> None:
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(201, json=NOTE)

    assert gitlab(handler).add_note(412, 1, "feito").body == "feito"
    assert [json.loads(request.content) for request in seen] == [{"body": "feito"}]


@pytest.mark.parametrize(
    ("handler", "expected"),
    [
        (answering(202, json={"commands_changes": {"state_event": "close"}}), OutcomeUnknownError),
        (answering(201, json={"id": 5}), OutcomeUnknownError),
        (answering(201, json=NOTE | {"author": None}), OutcomeUnknownError),
        (answering(403), RefusedByRemoteError),
        (answering(429), ThrottledError),
        (answering(502), RemoteFaultError),
    ],
)
def test_a_note_that_was_not_kept_as_a_note_is_no_success(
    handler: Handler, expected: type[ConnectorError]
) -> None:
    with pytest.raises(expected):
        gitlab(handler).add_note(412, 1, "feito")


def test_notes_are_read_page_by_page_with_the_remotes_own_among_them() -> None:
    mention = NOTE | {"id": 6, "system": True}
    pages: Iterator[list[dict[str, object]]] = iter([[NOTE] * 100, [mention]])
    found = gitlab(lambda request: httpx.Response(200, json=next(pages))).notes(412, 1)
    assert (len(found), found[-1].system) == (101, True)


def listing(issue: dict[str, object]) -> GitLab:
    """The plain list has this one, and the search finds nothing."""

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/v4/user":
            return httpx.Response(200, json={"id": 900})
        return httpx.Response(200, json=[] if "search" in request.url.params else [issue])

    return gitlab(handler)


def test_an_issue_of_our_own_without_a_marker_may_be_the_one_and_is_not_nothing() -> None:
    """Somebody took the marker out: "nothing found" would let it be made a second time."""
    with pytest.raises(UnmarkedError):
        listing(ISSUE | {"description": "d"}).find(412, "opk1", since=SINCE)


def test_an_issue_of_another_approval_is_not_mistaken_for_one_without_a_marker() -> None:
    assert listing(ISSUE | {"description": "d\n\nopk2"}).find(412, "opk1", since=SINCE) == []
