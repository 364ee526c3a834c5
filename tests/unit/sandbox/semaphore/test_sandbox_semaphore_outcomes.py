"""The ten ends of a start, and what each means for us. The sandbox's store is the witness."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import httpx
import pytest

from opspilot.connectors.errors import (
    ConnectorError,
    NotSentError,
    OutcomeUnknownError,
    RefusedByRemoteError,
    RemoteFaultError,
    ThrottledError,
)
from opspilot.connectors.semaphore import Semaphore
from opspilot.sandbox.process import SandboxProcess
from opspilot.sandbox.semaphore.outcomes import DRESSES, OUTCOMES
from tests.unit.sandbox.semaphore.calls import adapter, body, sent

# What we take it for, and how many tasks are stored in the end.
MEANINGS: dict[str, tuple[type[ConnectorError] | None, int]] = {
    "stored_201": (None, 1),
    "refused": (RefusedByRemoteError, 0),
    "throttled": (ThrottledError, 0),
    "error_not_stored": (RemoteFaultError, 0),
    "error_stored": (RemoteFaultError, 1),
    "timeout_not_stored": (RemoteFaultError, 0),
    "timeout_stored": (RemoteFaultError, 1),
    "reset_stored": (RemoteFaultError, 1),
    "broken_body_stored": (OutcomeUnknownError, 1),
    "slow_201": (RemoteFaultError, 1),
    "not_a_member": (RefusedByRemoteError, 0),
    "not_allowed": (RefusedByRemoteError, 0),
    "throttled_plain": (ThrottledError, 0),
    "gateway_502_stored": (RemoteFaultError, 1),
    "gateway_504_not_stored": (RemoteFaultError, 0),
    "timeout_408_stored": (OutcomeUnknownError, 1),
    "dropped_not_stored": (RemoteFaultError, 0),
    "dropped_stored": (RemoteFaultError, 1),
    "cut_body_stored": (RemoteFaultError, 1),
    "login_page_stored": (OutcomeUnknownError, 1),
    "status_200_stored": (OutcomeUnknownError, 1),
}


@pytest.fixture
def hasty(semaphore: SandboxProcess, door: httpx.Client) -> Iterator[Semaphore]:
    """A client that waits half a second, with the version already known."""
    client = adapter(semaphore.base_url, timeout=0.5)
    client.version()
    yield client
    door.post("/clock", json={"advance": 1000}).raise_for_status()  # ends what still waits


def order(door: httpx.Client, **wanted: object) -> None:
    door.post("/outcomes", json=wanted).raise_for_status()


def ours(door: httpx.Client) -> list[int]:
    return [row["id"] for row in door.get("/tasks").json() if row["message"] == "opk-1"]


def test_every_outcome_has_a_meaning() -> None:
    assert set(MEANINGS) == set(OUTCOMES | DRESSES)
    assert len(OUTCOMES) == 10


@pytest.mark.parametrize("outcome", MEANINGS)
def test_an_outcome_means_what_it_is_and_is_sent_once(
    door: httpx.Client, hasty: Semaphore, outcome: str
) -> None:
    error, count = MEANINGS[outcome]
    order(door, outcome=outcome)
    caught: type[ConnectorError] | None = None
    try:
        hasty.start(4, body())
    except ConnectorError as exc:
        caught = type(exc)
    assert (caught, len(ours(door)), len(sent(door))) == (error, count, 1)


@pytest.mark.parametrize("outcome", [name for name, (_, count) in MEANINGS.items() if count])
def test_what_was_stored_is_found_by_its_marker(
    door: httpx.Client, runner: Semaphore, hasty: Semaphore, outcome: str
) -> None:
    since = dt.datetime.now(dt.UTC) - dt.timedelta(minutes=1)
    order(door, outcome=outcome)
    if MEANINGS[outcome][0] is not None:
        with pytest.raises(OutcomeUnknownError):
            hasty.start(4, body())
    else:
        hasty.start(4, body())
    found = runner.find(4, 25, "opk-1", since=since)
    assert [task.id for task in found.tasks] == ours(door)


def test_the_wait_of_a_throttle_is_the_one_it_says(door: httpx.Client, runner: Semaphore) -> None:
    order(door, outcome="throttled", retry_after=7)
    with pytest.raises(ThrottledError) as caught:
        runner.start(4, body())
    assert caught.value.retry_after == 7


def test_a_version_that_cannot_be_read_sends_nothing(door: httpx.Client, runner: Semaphore) -> None:
    order(door, outcome="error_not_stored", operation="info")
    with pytest.raises(NotSentError):
        runner.start(4, body())
    assert sent(door) == []


def test_a_late_list_finds_it_later(door: httpx.Client, runner: Semaphore) -> None:
    since = dt.datetime.now(dt.UTC) - dt.timedelta(minutes=1)
    order(door, listing="late")
    runner.start(4, body())
    assert runner.find(4, 25, "opk-1", since=since).tasks == ()
    door.post("/clock", json={"advance": 31}).raise_for_status()
    assert len(runner.find(4, 25, "opk-1", since=since).tasks) == 1


def test_a_blind_list_never_finds_it(door: httpx.Client, runner: Semaphore) -> None:
    since = dt.datetime.now(dt.UTC) - dt.timedelta(minutes=1)
    order(door, listing="blind")
    runner.start(4, body())
    door.post("/clock", json={"advance": 86_400}).raise_for_status()
    assert runner.find(4, 25, "opk-1", since=since).tasks == ()


def test_a_list_that_is_down_is_no_answer(door: httpx.Client, runner: Semaphore) -> None:
    order(door, extra="list_down")
    runner.start(4, body())
    with pytest.raises(RemoteFaultError):
        runner.find(4, 25, "opk-1", since=dt.datetime.now(dt.UTC))


def test_an_edited_marker_is_not_found(door: httpx.Client, runner: Semaphore) -> None:
    since = dt.datetime.now(dt.UTC) - dt.timedelta(minutes=1)
    order(door, extra="marker_edited")
    runner.start(4, body())
    assert runner.find(4, 25, "opk-1", since=since).tasks == ()


def test_two_tasks_with_one_marker_are_two(door: httpx.Client, runner: Semaphore) -> None:
    since = dt.datetime.now(dt.UTC) - dt.timedelta(minutes=1)
    order(door, extra="two_with_marker")
    runner.start(4, body())
    assert len(runner.find(4, 25, "opk-1", since=since).tasks) == 2


def test_who_is_no_member_any_more_is_refused(door: httpx.Client, runner: Semaphore) -> None:
    order(door, extra="member_no_more")
    task = runner.start(4, body())
    with pytest.raises(RefusedByRemoteError) as caught:
        runner.task(4, task.id)
    assert caught.value.status == 404
