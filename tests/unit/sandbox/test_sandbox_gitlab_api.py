"""Token, listing, search and error bodies, as the contract tells them."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

ISSUES = "/projects/412/issues"


def _create(api: httpx.Client, title: str = "a", description: str = "texto") -> dict[str, Any]:
    body = {"title": title, "description": description}
    created: dict[str, Any] = api.post(ISSUES, json=body).json()
    return created


def _iids(answer: httpx.Response) -> list[int]:
    return [issue["iid"] for issue in answer.json()]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"PRIVATE-TOKEN": "wrong"},
        {"Authorization": "Basic x"},
    ],
)
def test_a_missing_or_wrong_token_is_401(
    api: httpx.Client, door: httpx.Client, headers: dict[str, str]
) -> None:
    url = f"{api.base_url}{ISSUES.removeprefix('/')}"
    answer = httpx.post(url, json={"title": "a", "description": "b"}, headers=headers)
    assert (answer.status_code, answer.json()) == (401, {"message": "401 Unauthorized"})
    assert door.get("/issues").json() == []


def test_the_private_token_header_opens_too(api: httpx.Client) -> None:
    token = api.headers["authorization"].removeprefix("Bearer ")
    answer = httpx.get(f"{api.base_url}user", headers={"PRIVATE-TOKEN": token})
    assert answer.json()["id"] == 900


def test_a_revoked_token_says_so(api: httpx.Client, door: httpx.Client) -> None:
    door.post("/config", json={"token": {"revoked": True}})
    answer = api.get("/user")
    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_token")


def test_an_expired_token_says_so(api: httpx.Client, door: httpx.Client) -> None:
    door.post("/config", json={"token": {"expires_at": "2020-01-01"}})
    assert api.get("/user").json()["error"] == "invalid_token"


def test_a_read_token_reads_and_does_not_write(api: httpx.Client, door: httpx.Client) -> None:
    door.post("/config", json={"token": {"scopes": ["read_api"]}})
    answer = api.post(ISSUES, json={"title": "a", "description": "b"})
    assert (answer.status_code, answer.json()["error"]) == (403, "insufficient_scope")
    assert api.get(ISSUES).status_code == 200


def test_the_token_never_reaches_the_log(api: httpx.Client, door: httpx.Client) -> None:
    token = api.headers["authorization"].removeprefix("Bearer ")
    api.get("/user", params={"private_token": token})
    assert token not in door.get("/log").text


def test_each_project_counts_its_own_iids(api: httpx.Client) -> None:
    first = _create(api)
    other = api.post("/projects/512/issues", json={"title": "b", "description": "c"}).json()
    assert (first["iid"], other["iid"]) == (1, 1)
    assert first["id"] != other["id"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"description": "a"}, {"error": "title is missing"}),
        ({"title": " "}, {"message": {"title": ["can't be blank"]}}),
        (
            {"title": "a" * 256},
            {"message": {"title": ["is too long (maximum is 255 characters)"]}},
        ),
        ({"title": "a", "assignee_ids": "x"}, {"error": "assignee_ids is invalid"}),
        ({"title": "a", "confidential": "talvez"}, {"error": "confidential is invalid"}),
        ({"title": "a\0"}, {"error": "title is invalid"}),
    ],
)
def test_bad_parameters_are_400_and_store_nothing(
    api: httpx.Client, door: httpx.Client, body: dict[str, Any], expected: dict[str, Any]
) -> None:
    answer = api.post(ISSUES, json=body)
    assert (answer.status_code, answer.json()) == (400, expected)
    assert door.get("/issues").json() == []


@pytest.mark.parametrize("path", ["/projects/999", f"{ISSUES}/99", "/projects/999/issues"])
def test_what_is_not_there_is_404(api: httpx.Client, path: str) -> None:
    answer = api.get(path)
    assert answer.status_code == 404
    assert "404" in answer.json()["message"]


@pytest.mark.parametrize("change", [{"issues_enabled": False}, {"archived": True}])
def test_a_project_that_takes_no_issues_is_403(
    api: httpx.Client, door: httpx.Client, change: dict[str, bool]
) -> None:
    door.post("/config", json={"projects": {"412": change}})
    assert api.post(ISSUES, json={"title": "a", "description": "b"}).status_code == 403


def test_close_and_reopen(api: httpx.Client) -> None:
    iid = _create(api)["iid"]
    closed = api.put(f"{ISSUES}/{iid}", json={"state_event": "close"}).json()
    reopened = api.put(f"{ISSUES}/{iid}", json={"state_event": "reopen"}).json()
    assert (closed["state"], reopened["state"], reopened["closed_at"]) == ("closed", "opened", None)


def test_an_update_of_nothing_is_400(api: httpx.Client) -> None:
    iid = _create(api)["iid"]
    assert api.put(f"{ISSUES}/{iid}", json={}).status_code == 400


def test_members_and_labels_of_the_project(api: httpx.Client) -> None:
    members = [member["id"] for member in api.get("/projects/512/members/all").json()]
    labels = [label["name"] for label in api.get("/projects/512/labels").json()]
    assert (members, labels) == ([418, 900], ["incidente", "rede"])


def test_offset_pages_name_the_next_one(api: httpx.Client) -> None:
    for number in range(5):
        _create(api, title=str(number))
    first = api.get(ISSUES, params={"per_page": 2, "order_by": "created_at", "sort": "asc"})
    assert (_iids(first), first.headers["x-next-page"]) == ([1, 2], "2")
    second = api.get(first.links["next"]["url"])
    last = api.get(second.links["next"]["url"])
    assert (_iids(second), _iids(last), last.headers["x-next-page"]) == ([3, 4], [5], "")


def test_keyset_pages_miss_nothing_when_issues_arrive_between(api: httpx.Client) -> None:
    for number in range(3):
        _create(api, title=str(number))
    first = api.get(ISSUES, params={"per_page": 2, "pagination": "keyset"})
    _create(api, title="chegou depois")
    second = api.get(first.links["next"]["url"])
    assert (_iids(first), _iids(second), "next" in second.links) == ([3, 2], [1], False)


def test_per_page_is_capped_at_a_hundred(api: httpx.Client) -> None:
    answer = api.get(ISSUES, params={"per_page": 500})
    assert answer.headers["x-per-page"] == "100"


def test_created_bounds_are_inclusive(api: httpx.Client) -> None:
    at = _create(api)["created_at"]
    assert _iids(api.get(ISSUES, params={"created_after": at, "created_before": at})) == [1]
    assert _iids(api.get(ISSUES, params={"created_after": "2999-01-01T00:00:00Z"})) == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"author_id": 900}, [2, 1]),
        ({"author_id": 318}, []),
        ({"state": "closed"}, [2]),
        ({"state": "opened"}, [1]),
        ({"state": "all", "sort": "asc"}, [1, 2]),
        ({"iids[]": [2, 9]}, [2]),
        ({"labels": "runbook"}, [1]),
        ({"labels": "runbook,incidente"}, []),
    ],
)
def test_the_list_is_filtered(
    api: httpx.Client, query: dict[str, Any], expected: list[int]
) -> None:
    _create(api, description="a\n/label ~runbook")
    _create(api, description="b\n/close")
    assert _iids(api.get(ISSUES, params=query)) == expected


MARKER = "opk0123456789abcdef0123456789abcdef"


def test_the_list_is_exact_while_search_is_late(api: httpx.Client) -> None:
    _create(api, description=MARKER)
    assert _iids(api.get(ISSUES)) == [1]
    assert _iids(api.get(ISSUES, params={"search": MARKER})) == []


def test_search_may_be_late_for_ever(api: httpx.Client, door: httpx.Client) -> None:
    door.post("/config", json={"search_delay": None})
    _create(api, description=MARKER)
    assert _iids(api.get(ISSUES, params={"search": MARKER})) == []


@pytest.mark.parametrize(
    ("description", "where", "expected"),
    [
        (MARKER, "description", [1]),
        (MARKER, "title", []),
        (MARKER + "0", "description", [1]),
        (f"<!-- {MARKER} -->", "description", []),
        ("0" * 30 + MARKER, "description", []),
    ],
)
def test_an_indexed_issue_is_searched_by_prefix_outside_tags(
    api: httpx.Client, door: httpx.Client, description: str, where: str, expected: list[int]
) -> None:
    door.post("/config", json={"search_delay": 0})
    _create(api, description=description)
    assert _iids(api.get(ISSUES, params={"search": MARKER, "in": where})) == expected
