"""Outcomes ordered by name: what is stored, what the client meets, and how our client takes it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest

from opspilot.connectors.errors import (
    ConnectorError,
    OutcomeUnknownError,
    RefusedByRemoteError,
    RemoteFaultError,
    ThrottledError,
    UnmarkedError,
)
from opspilot.connectors.gitlab import GitLab
from opspilot.connectors.http import BoundedClient
from opspilot.sandbox.process import SandboxProcess

ISSUES = "/projects/412/issues"
MARKER = "opk" + "ab" * 16
ISSUE = {"title": "Fila parada", "description": f"texto\n\n{MARKER}", "confidential": False}
SINCE = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
TEN = (
    ("stored_201", None, 1),
    ("refused", RefusedByRemoteError, 0),
    ("throttled", ThrottledError, 0),
    ("error_not_stored", RemoteFaultError, 0),
    ("error_stored", RemoteFaultError, 1),
    ("timeout_not_stored", OutcomeUnknownError, 0),
    ("timeout_stored", OutcomeUnknownError, 1),
    ("reset_stored", OutcomeUnknownError, 1),
    ("broken_body_stored", OutcomeUnknownError, 1),
    ("slow_201", OutcomeUnknownError, 1),
)
DRESSES = (
    ("captcha", RefusedByRemoteError, 0),
    ("duplicated", OutcomeUnknownError, 0),
    ("locked", OutcomeUnknownError, 0),
    ("spam", RefusedByRemoteError, 0),
    ("granular_scope", RefusedByRemoteError, 0),
    ("throttled_plain", ThrottledError, 0),
    ("throttled_json", ThrottledError, 0),
    ("throttled_reset", ThrottledError, 0),
    ("gateway_502_stored", RemoteFaultError, 1),
    ("gateway_504_not_stored", RemoteFaultError, 0),
    ("proxy_524_stored", RemoteFaultError, 1),
    ("timeout_408_stored", OutcomeUnknownError, 1),
    ("dropped_not_stored", OutcomeUnknownError, 0),
    ("dropped_stored", OutcomeUnknownError, 1),
    ("cut_body_stored", OutcomeUnknownError, 1),
    ("login_page_stored", OutcomeUnknownError, 1),
    ("status_200_stored", OutcomeUnknownError, 1),
    ("foreign_201_stored", OutcomeUnknownError, 1),
)

Order = Callable[..., None]


@pytest.fixture
def order(door: httpx.Client) -> Order:
    def run(**wanted: Any) -> None:
        door.post("/outcomes", json=wanted).raise_for_status()

    return run


@pytest.fixture
def tracker(gitlab: SandboxProcess) -> GitLab:
    return GitLab(BoundedClient(base_url=gitlab.base_url, token=gitlab.token, timeout=0.6))


@pytest.fixture(autouse=True)
def no_wait_outlives_its_test(door: httpx.Client) -> Iterator[None]:
    yield
    door.post("/clock", json={"advance": 4000}).raise_for_status()


def _stored(door: httpx.Client) -> int:
    return sum(MARKER in issue["description"] for issue in door.get("/issues").json())


def test_the_door_names_every_outcome(door: httpx.Client) -> None:
    names = door.get("/outcomes").json()
    assert names["outcomes"] == [name for name, _, _ in TEN]
    assert names["dresses"] == [name for name, _, _ in DRESSES]
    assert names["listings"] == ["at_once", "late", "search_blind"]
    assert names["extras"][1:] == ["marker_edited", "two_with_marker", "list_down", "project_moved"]


@pytest.mark.parametrize(("outcome", "error", "stored"), TEN + DRESSES)
def test_each_outcome_stores_what_its_name_says_and_is_sorted(
    order: Order,
    tracker: GitLab,
    door: httpx.Client,
    outcome: str,
    error: type[ConnectorError] | None,
    stored: int,
) -> None:
    order(outcome=outcome)
    met: type[BaseException] | None = None
    try:
        tracker.create(412, ISSUE)
    except ConnectorError as exc:
        met = type(exc)
    assert met is error or (error is OutcomeUnknownError and met is RemoteFaultError)
    assert _stored(door) == stored


@pytest.mark.parametrize("outcome", [name for name, _, _ in TEN + DRESSES])
def test_the_log_has_the_request_however_it_ended(
    order: Order, tracker: GitLab, door: httpx.Client, outcome: str
) -> None:
    order(outcome=outcome)
    with suppress(ConnectorError):
        tracker.create(412, ISSUE)
    creations = [e for e in door.get("/log").json() if e["operation"] == "createIssue"]
    assert [(entry["marker"], entry["user_id"]) for entry in creations] == [(MARKER, 900)]


@pytest.mark.parametrize(
    ("outcome", "low", "high"),
    [("throttled", 2, 2), ("throttled_reset", 1, 2), ("throttled_json", 30, 30)],
)
def test_the_wait_of_a_throttle_is_taken_from_what_the_remote_gives(
    order: Order, tracker: GitLab, outcome: str, low: float, high: float
) -> None:
    order(outcome=outcome)
    with pytest.raises(ThrottledError) as caught:
        tracker.create(412, ISSUE)
    assert low <= caught.value.retry_after <= high


def test_a_slow_success_reaches_a_patient_client(
    order: Order, gitlab: SandboxProcess, door: httpx.Client
) -> None:
    order(outcome="slow_201", seconds=0.3)
    patient = GitLab(BoundedClient(base_url=gitlab.base_url, token=gitlab.token, timeout=5.0))
    assert patient.create(412, ISSUE).iid == 1


def test_an_order_waits_for_its_own_marker(order: Order, tracker: GitLab) -> None:
    order(outcome="refused", body_contains=MARKER)
    other = ISSUE | {"description": "opk" + "cd" * 16}
    assert tracker.create(412, other).iid == 1
    with pytest.raises(RefusedByRemoteError):
        tracker.create(412, ISSUE)


def test_an_order_is_for_one_creation(order: Order, tracker: GitLab) -> None:
    order(outcome="error_not_stored")
    with pytest.raises(RemoteFaultError):
        tracker.create(412, ISSUE)
    assert tracker.create(412, ISSUE).iid == 1


@pytest.mark.parametrize(
    ("outcome", "error", "state"),
    [
        ("refused", RefusedByRemoteError, "opened"),
        ("locked", OutcomeUnknownError, "opened"),
        ("error_not_stored", RemoteFaultError, "opened"),
        ("error_stored", RemoteFaultError, "closed"),
        ("timeout_stored", OutcomeUnknownError, "closed"),
        ("broken_body_stored", OutcomeUnknownError, "closed"),
        ("foreign_201_stored", OutcomeUnknownError, "closed"),
    ],
)
def test_a_closing_can_end_as_a_creation_can(
    order: Order,
    tracker: GitLab,
    outcome: str,
    error: type[ConnectorError],
    state: str,
) -> None:
    iid = tracker.create(412, ISSUE).iid
    order(outcome=outcome, operation="changeIssueState")
    with pytest.raises(error):
        tracker.close(412, iid)
    assert tracker.get(412, iid).state == state


def test_late_in_the_list_and_there_by_its_number(order: Order, tracker: GitLab) -> None:
    order(listing="late")
    iid = tracker.create(412, ISSUE).iid
    assert tracker.find(412, MARKER, since=SINCE) == []
    assert tracker.get(412, iid).iid == iid


def test_blind_to_search_for_ever_is_found_by_the_list(
    order: Order, tracker: GitLab, api: httpx.Client, door: httpx.Client
) -> None:
    order(outcome="dropped_stored", listing="search_blind")
    with pytest.raises(OutcomeUnknownError):
        tracker.create(412, ISSUE)
    door.post("/clock", json={"advance": 100_000})
    assert api.get(ISSUES, params={"search": MARKER}).json() == []
    assert [issue.iid for issue in tracker.find(412, MARKER, since=SINCE)] == [1]


def test_an_edit_ends_the_blindness(order: Order, api: httpx.Client, door: httpx.Client) -> None:
    order(listing="search_blind")
    api.post(ISSUES, json=ISSUE)
    door.post("/clock", json={"advance": 100_000})
    api.put(f"{ISSUES}/1", json={"title": "Fila andando"})
    assert len(api.get(ISSUES, params={"search": MARKER}).json()) == 1


def test_what_search_alone_sees_is_found_beside_the_list(
    tracker: GitLab, door: httpx.Client
) -> None:
    """Our clock is wrong by a day: the list since "then" has nothing, the search has it."""
    tracker.create(412, ISSUE)
    door.post("/clock", json={"advance": 31})
    tomorrow = dt.datetime.now(dt.UTC) + dt.timedelta(days=1)
    assert [issue.iid for issue in tracker.find(412, MARKER, since=tomorrow)] == [1]


def test_a_search_that_is_throttled_takes_nothing_from_a_clean_list(
    tracker: GitLab, door: httpx.Client
) -> None:
    throttle = {"kind": "throttle", "method": "GET", "path_contains": "search="}
    door.post("/faults", json=[throttle]).raise_for_status()
    assert tracker.find(412, MARKER, since=SINCE) == []


def test_a_longer_word_found_by_search_is_another_marker(
    tracker: GitLab, api: httpx.Client, door: httpx.Client
) -> None:
    api.post(ISSUES, json=ISSUE | {"description": MARKER + "0"})
    door.post("/config", json={"search_delay": 0})
    assert len(api.get(ISSUES, params={"search": MARKER}).json()) == 1
    assert tracker.find(412, MARKER, since=SINCE) == []


def test_a_marker_edited_away_is_told_and_is_no_clean_look(
    order: Order, tracker: GitLab, door: httpx.Client
) -> None:
    order(outcome="reset_stored", extra="marker_edited")
    with pytest.raises(OutcomeUnknownError):
        tracker.create(412, ISSUE)
    door.post("/config", json={"search_delay": 0})
    with pytest.raises(UnmarkedError):
        tracker.find(412, MARKER, since=SINCE)
    assert tracker.get(412, 1).title == ISSUE["title"]


def test_two_with_one_marker_are_both_told_lowest_first(order: Order, tracker: GitLab) -> None:
    order(outcome="reset_stored", extra="two_with_marker")
    with pytest.raises(OutcomeUnknownError):
        tracker.create(412, ISSUE)
    assert [issue.iid for issue in tracker.find(412, MARKER, since=SINCE)] == [1, 2]


def test_a_list_that_stays_down_is_an_error_and_not_an_empty_list(
    order: Order, tracker: GitLab, door: httpx.Client
) -> None:
    order(outcome="reset_stored", extra="list_down")
    with pytest.raises(OutcomeUnknownError):
        tracker.create(412, ISSUE)
    for _ in range(2):
        with pytest.raises(RemoteFaultError):
            tracker.find(412, MARKER, since=SINCE)
    assert _stored(door) == 1


def test_a_project_that_moves_meanwhile_says_its_new_path(order: Order, tracker: GitLab) -> None:
    order(outcome="reset_stored", extra="project_moved")
    with pytest.raises(OutcomeUnknownError):
        tracker.create(412, ISSUE)
    assert tracker.project_path(412) == "aurora/infra-mudado"
    assert [issue.iid for issue in tracker.find(412, MARKER, since=SINCE)] == [1]


def test_a_mishap_is_in_the_log(order: Order, tracker: GitLab, door: httpx.Client) -> None:
    order(extra="two_with_marker")
    tracker.create(412, ISSUE)
    effects = door.get("/log").json()[-1]["side_effects"]
    assert {"kind": "mishap", "value": "two_with_marker"} in effects


@pytest.mark.parametrize(
    "wanted", [{"outcome": "nonsense"}, {"listing": 1}, {"outcomes": "refused"}, [], "refused"]
)
def test_an_outcome_nobody_knows_is_not_ordered(door: httpx.Client, wanted: Any) -> None:
    assert door.post("/outcomes", json=wanted).status_code == 400
