"""The sandbox's own time: whatever waits, waits by it."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from opspilot.sandbox.process import SandboxProcess

ISSUES = "/projects/412/issues"
ISSUE = {"title": "Fila parada", "description": "opk0123456789abcdef0123456789abcdef"}


def _advance(door: httpx.Client, seconds: float) -> None:
    door.post("/clock", json={"advance": seconds}).raise_for_status()


def _iids(answer: httpx.Response) -> list[int]:
    return [issue["iid"] for issue in answer.json()]


def test_a_listing_thirty_seconds_late_is_seen_without_waiting(
    api: httpx.Client, door: httpx.Client
) -> None:
    door.post("/outcomes", json={"listing": "late"}).raise_for_status()
    api.post(ISSUES, json=ISSUE)
    before = _iids(api.get(ISSUES))
    _advance(door, 29)
    still = _iids(api.get(ISSUES))
    _advance(door, 1)
    assert (before, still, _iids(api.get(ISSUES))) == ([], [], [1])


def test_search_catches_up_by_the_same_clock(api: httpx.Client, door: httpx.Client) -> None:
    api.post(ISSUES, json=ISSUE)
    query = {"search": ISSUE["description"]}
    before = _iids(api.get(ISSUES, params=query))
    _advance(door, 31)
    assert (before, _iids(api.get(ISSUES, params=query))) == ([], [1])


def test_a_step_forward_ends_a_wait(api: httpx.Client, door: httpx.Client) -> None:
    order = {"outcome": "timeout_stored", "seconds": 600}
    door.post("/outcomes", json=order).raise_for_status()
    with pytest.raises(httpx.ReadTimeout):
        api.post(ISSUES, json=ISSUE, timeout=0.2)
    _advance(door, 600)
    assert api.get(f"{ISSUES}/1").status_code == 200


def test_a_faster_clock_shortens_every_wait(api: httpx.Client, door: httpx.Client) -> None:
    door.post("/clock", json={"scale": 1000}).raise_for_status()
    door.post("/outcomes", json={"outcome": "slow_201", "seconds": 90}).raise_for_status()
    started = time.monotonic()
    assert api.post(ISSUES, json=ISSUE).status_code == 201
    assert time.monotonic() - started < 1


def test_what_is_made_carries_the_sandboxs_time(api: httpx.Client, door: httpx.Client) -> None:
    _advance(door, 86_400)
    created = api.post(ISSUES, json=ISSUE).json()["created_at"]
    logged = door.get("/log").json()[-1]["time"]
    now = door.get("/clock").json()["now"]
    assert created[:16] == logged[:16] == now[:16]
    assert created > time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())


def test_the_date_header_tells_it(api: httpx.Client, door: httpx.Client) -> None:
    _advance(door, 300)
    told = email.utils.parsedate_to_datetime(api.get("/user").headers["date"]).timestamp()
    assert 295 < told - time.time() < 305


def test_a_token_expires_by_it(api: httpx.Client, door: httpx.Client) -> None:
    day = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 5 * 86_400))
    door.post("/config", json={"token": {"expires_at": day}})
    before = api.get("/user").status_code
    _advance(door, 6 * 86_400)
    assert (before, api.get("/user").json()["error"]) == (200, "invalid_token")


def test_it_outlives_a_killed_process(tmp_path: Path, start: Callable[..., SandboxProcess]) -> None:
    first = start(tmp_path)
    httpx.post(f"{first.base_url}/_sandbox/clock", json={"advance": 3600}).raise_for_status()
    first.kill()
    told = httpx.get(f"{start(tmp_path).base_url}/_sandbox/clock").json()["time"]
    assert 3590 < told - time.time() < 3650


def test_a_reset_brings_it_back(api: httpx.Client, door: httpx.Client) -> None:
    _advance(door, 3600)
    door.post("/reset")
    assert abs(door.get("/clock").json()["time"] - time.time()) < 5


@pytest.mark.parametrize(
    "order", [{"advance": -1}, {"scale": 0}, {"advance": "1"}, {"advance": True}, {"back": 1}, []]
)
def test_it_does_not_go_back_stand_still_or_guess(door: httpx.Client, order: Any) -> None:
    assert door.post("/clock", json=order).status_code == 400
