"""Each fault: what is stored, what the client sees, what the log says."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest

ISSUES = "/projects/412/issues"
ISSUE = {"title": "Fila parada", "description": "texto opk0123456789abcdef0123456789abcdef"}


def _order(door: httpx.Client, *faults: dict[str, Any]) -> None:
    door.post("/faults", json=list(faults)).raise_for_status()


def _post(api: httpx.Client, **options: Any) -> httpx.Response:
    return api.post(ISSUES, json=ISSUE, **options)


def _stored(door: httpx.Client) -> int:
    return len(door.get("/issues").json())


def _last(door: httpx.Client) -> dict[str, Any]:
    entry: dict[str, Any] = door.get("/log").json()[-1]
    return entry


def test_refuse_answers_as_ordered_and_stores_nothing(
    api: httpx.Client, door: httpx.Client
) -> None:
    body = {"message": {"error": "spam"}, "needs_captcha_response": True}
    _order(door, {"kind": "refuse", "status": 409, "body": body})
    answer = _post(api)
    assert (answer.status_code, answer.json(), _stored(door)) == (409, body, 0)


def test_throttle_with_headers(api: httpx.Client, door: httpx.Client) -> None:
    _order(door, {"kind": "throttle", "retry_after": 7})
    answer = _post(api)
    assert (answer.status_code, answer.headers["retry-after"], _stored(door)) == (429, "7", 0)


def test_throttle_without_headers(api: httpx.Client, door: httpx.Client) -> None:
    _order(door, {"kind": "throttle"})
    answer = _post(api)
    assert (answer.status_code, _stored(door)) == (429, 0)
    assert "retry-after" not in answer.headers
    assert answer.headers["content-type"].startswith("text/plain")


def test_error_before_stores_nothing(api: httpx.Client, door: httpx.Client) -> None:
    _order(door, {"kind": "error_before"})
    assert (_post(api).status_code, _stored(door)) == (500, 0)


def test_error_after_looks_the_same_and_has_stored(api: httpx.Client, door: httpx.Client) -> None:
    _order(door, {"kind": "error_before"}, {"kind": "error_after"})
    before, after = _post(api), _post(api)
    assert (before.status_code, before.content) == (after.status_code, after.content)
    assert _stored(door) == 1


@pytest.mark.parametrize(("kind", "stored"), [("drop_before", 0), ("drop_after", 1)])
def test_a_drop_closes_without_an_answer(
    api: httpx.Client, door: httpx.Client, kind: str, stored: int
) -> None:
    _order(door, {"kind": kind})
    with pytest.raises(httpx.RemoteProtocolError):
        _post(api)
    assert (_stored(door), _last(door)["status"]) == (stored, None)


def test_a_reset_is_no_orderly_end(api: httpx.Client, door: httpx.Client) -> None:
    _order(door, {"kind": "reset_after"})
    with pytest.raises(httpx.ReadError):
        _post(api)
    assert (_stored(door), _last(door)["status"]) == (1, None)


def test_a_hanging_request_is_in_the_log_before_its_wait_ends(
    api: httpx.Client, door: httpx.Client
) -> None:
    _order(door, {"kind": "hang_before", "seconds": 60})
    with pytest.raises(httpx.ReadTimeout):
        _post(api, timeout=0.2)
    assert _last(door)["fault"] == "hang_before"
    door.post("/clock", json={"advance": 60})


@pytest.mark.parametrize(
    ("style", "headers"),
    [
        ("full", {"retry-after", "ratelimit-reset", "ratelimit-name"}),
        ("json", set()),
        ("plain", set()),
        ("reset", {"ratelimit-reset"}),
    ],
)
def test_a_throttle_comes_in_four_dresses(
    api: httpx.Client, door: httpx.Client, style: str, headers: set[str]
) -> None:
    _order(door, {"kind": "throttle", "style": style})
    answer = _post(api)
    told = {"retry-after", "ratelimit-reset", "ratelimit-name"} & set(answer.headers)
    assert (answer.status_code, told) == (429, headers)
    kind = "text/plain" if style == "plain" else "application/json"
    assert answer.headers["content-type"].startswith(kind)


@pytest.mark.parametrize(("kind", "stored"), [("gateway_before", 0), ("gateway_after", 1)])
def test_a_page_of_the_proxy_tells_nothing_of_what_was_stored(
    api: httpx.Client, door: httpx.Client, kind: str, stored: int
) -> None:
    _order(door, {"kind": kind, "status": 504})
    answer = _post(api)
    assert (answer.status_code, _stored(door)) == (504, stored)
    assert answer.headers["content-type"].startswith("text/html")


def test_a_broken_body_is_whole_by_its_length(api: httpx.Client, door: httpx.Client) -> None:
    _order(door, {"kind": "broken_body"})
    answer = _post(api)
    assert (answer.status_code, _stored(door)) == (201, 1)
    with pytest.raises(ValueError, match=r"\w"):
        answer.json()


def test_cut_body_starts_as_a_success_and_breaks_off(api: httpx.Client, door: httpx.Client) -> None:
    _order(door, {"kind": "cut_body"})
    with api.stream("POST", ISSUES, json=ISSUE) as answer:
        assert answer.status_code == 201
        with pytest.raises(httpx.RemoteProtocolError):
            answer.read()
    assert _stored(door) == 1


def test_html_200_is_a_login_page_over_a_stored_issue(
    api: httpx.Client, door: httpx.Client
) -> None:
    _order(door, {"kind": "html_200"})
    answer = _post(api)
    assert (answer.status_code, "Sign in" in answer.text, _stored(door)) == (200, True, 1)


def test_slow_has_stored_before_the_client_gives_up(api: httpx.Client, door: httpx.Client) -> None:
    _order(door, {"kind": "slow", "seconds": 1})
    with pytest.raises(httpx.ReadTimeout):
        _post(api, timeout=0.3)
    assert _stored(door) == 1


def test_slow_answers_a_patient_client(api: httpx.Client, door: httpx.Client) -> None:
    _order(door, {"kind": "slow", "seconds": 0.2})
    answer = _post(api)
    assert answer.status_code == 201
    assert answer.elapsed.total_seconds() >= 0.2


def test_store_late_stores_after_the_client_gave_up(api: httpx.Client, door: httpx.Client) -> None:
    _order(door, {"kind": "store_late", "seconds": 0.6})
    with pytest.raises(httpx.ReadTimeout):
        _post(api, timeout=0.2)
    assert _stored(door) == 0
    time.sleep(0.7)
    assert _stored(door) == 1


def test_hang_before_stores_nothing(api: httpx.Client, door: httpx.Client) -> None:
    _order(door, {"kind": "hang_before", "seconds": 0.3})
    with pytest.raises(httpx.RemoteProtocolError):
        _post(api)
    assert _stored(door) == 0


def test_list_down_fails_listings_and_only_as_often_as_ordered(
    api: httpx.Client, door: httpx.Client
) -> None:
    _order(door, {"kind": "list_down", "times": 2})
    assert _post(api).status_code == 201
    assert [api.get(ISSUES).status_code for _ in range(3)] == [503, 503, 200]


def test_list_late_hides_the_next_issue_from_listings_for_a_while(
    api: httpx.Client, door: httpx.Client
) -> None:
    _order(door, {"kind": "list_late", "seconds": 60}, {"kind": "drop_after"})
    with pytest.raises(httpx.RemoteProtocolError):
        _post(api)
    _post(api)
    assert [issue["iid"] for issue in api.get(ISSUES).json()] == [2]
    assert api.get(f"{ISSUES}/1").status_code == 200


def test_faults_are_used_up_in_order(api: httpx.Client, door: httpx.Client) -> None:
    _order(door, {"kind": "error_before", "times": 2}, {"kind": "refuse"})
    assert [_post(api).status_code for _ in range(4)] == [500, 500, 403, 201]


def test_a_fault_for_reads_leaves_writes_alone(api: httpx.Client, door: httpx.Client) -> None:
    _order(door, {"kind": "error_before", "method": "GET"})
    assert _post(api).status_code == 201
    assert api.get("/user").status_code == 500


def test_a_fault_may_name_the_project_it_waits_for(api: httpx.Client, door: httpx.Client) -> None:
    _order(door, {"kind": "refuse", "path_contains": "/projects/512/"})
    assert _post(api).status_code == 201
    assert api.post("/projects/512/issues", json=ISSUE).status_code == 403


@pytest.mark.parametrize(
    "order",
    [
        {"kind": "kind"},
        [{"kind": "nonsense"}],
        [{"kind": "slow", "seconds": -1}],
        [{"kind": "throttle", "style": "loud"}],
        [{}],
    ],
)
def test_an_order_that_makes_no_sense_is_refused(door: httpx.Client, order: object) -> None:
    assert door.post("/faults", json=order).status_code == 400


def test_the_log_tells_what_was_asked_and_answered(api: httpx.Client, door: httpx.Client) -> None:
    _order(door, {"kind": "error_after"})
    _post(api)
    entry = _last(door)
    assert entry["marker"] == "opk0123456789abcdef0123456789abcdef"
    assert (entry["method"], entry["path"]) == ("POST", "/api/v4/projects/412/issues")
    assert (entry["status"], entry["issue_iid"], entry["fault"]) == (500, 1, "error_after")
    assert "authorization" in entry["headers"]


def test_the_control_door_refuses_pages_of_other_origins(door: httpx.Client) -> None:
    answer = door.post("/reset", headers={"Origin": "http://mal.example"})
    assert answer.status_code == 403
