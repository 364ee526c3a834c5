"""So many calls of a remote at a time, and a company's flood leaves the others their share."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

import pytest
from pytest_django import Settings

from opspilot.resilience import slots
from tests.db import slot_holding
from tests.db.races import at_once

ROOT = Path(__file__).parents[2]
FLOOD, QUIET, THIRD = (uuid.uuid4() for _ in range(3))

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def remote(settings: Settings) -> str:
    """A connector of the test's own: the table is everybody's."""
    settings.OPSPILOT_CONNECTOR_SLOTS = 8
    settings.OPSPILOT_LEASE_SECONDS = 20.0
    return f"test-{uuid.uuid4().hex[:12]}"


Held = tuple[int, uuid.UUID]


def take(remote: str, company: uuid.UUID | None) -> Held | None:
    token = uuid.uuid4()
    n = slots.take(remote, tenant_id=company, token=token)
    return None if n is None else (n, token)


def take_all(remote: str, company: uuid.UUID) -> list[Held]:
    """As many as it gets."""
    found: list[Held] = []
    while held := take(remote, company):
        found.append(held)
    return found


def release(remote: str, held: Held) -> None:
    slots.release(remote, n=held[0], token=held[1])


def test_a_company_alone_may_hold_every_slot_and_no_more(remote: str) -> None:
    assert sorted(n for n, _token in take_all(remote, FLOOD)) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_a_slot_that_was_given_back_is_free(remote: str) -> None:
    first, *_others = take_all(remote, FLOOD)
    release(remote, first)
    found = take(remote, FLOOD)
    assert found is not None
    assert found[0] == first[0]


def test_one_remote_s_slots_are_not_another_s(remote: str) -> None:
    take_all(remote, FLOOD)
    assert take(f"{remote}-b", FLOOD)


def test_a_dead_holder_s_slot_comes_back_by_its_lease(remote: str, settings: Settings) -> None:
    settings.OPSPILOT_LEASE_SECONDS = 0.05
    take_all(remote, FLOOD)
    time.sleep(0.06)
    assert take(remote, FLOOD)


def test_a_killed_process_s_slots_come_back_by_their_lease(remote: str, settings: Settings) -> None:
    settings.OPSPILOT_CONNECTOR_SLOTS = slot_holding.SLOTS
    line = [sys.executable, "-m", "tests.db.slot_holding", remote, str(FLOOD)]
    with subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        process.kill()
    assert take(remote, QUIET) is None
    time.sleep(slot_holding.LEASE)
    assert len(take_all(remote, QUIET)) == slot_holding.SLOTS


def test_a_holder_that_comes_late_gives_nothing_back(remote: str, settings: Settings) -> None:
    settings.OPSPILOT_CONNECTOR_SLOTS = 1
    settings.OPSPILOT_LEASE_SECONDS = 0.05
    late = take(remote, FLOOD)
    assert late
    time.sleep(0.06)
    settings.OPSPILOT_LEASE_SECONDS = 20.0
    assert take(remote, QUIET)
    release(remote, late)
    assert take(remote, FLOOD) is None


def test_while_another_waits_a_flood_keeps_to_its_half(remote: str) -> None:
    flood = take_all(remote, FLOOD)
    assert take(remote, QUIET) is None
    for held in flood[:4]:
        release(remote, held)
        assert take(remote, FLOOD) is None
        assert take(remote, QUIET)
    assert take(remote, QUIET) is None
    release(remote, flood[4])
    assert take(remote, FLOOD)


def test_a_half_is_rounded_down_so_that_something_is_left(remote: str, settings: Settings) -> None:
    settings.OPSPILOT_CONNECTOR_SLOTS = 3
    flood = take_all(remote, FLOOD)
    assert take(remote, QUIET) is None
    for held in flood:
        release(remote, held)
    assert len(take_all(remote, FLOOD)) == 1


def test_a_company_may_have_one_however_many_wait(remote: str, settings: Settings) -> None:
    settings.OPSPILOT_CONNECTOR_SLOTS = 2
    flood = take_all(remote, FLOOD)
    assert [take(remote, company) for company in (QUIET, THIRD, None)] == [None] * 3
    for held in flood:
        release(remote, held)
    assert len(take_all(remote, QUIET)) == 1
    assert len(take_all(remote, THIRD)) == 1


def test_three_that_want_all_get_a_third_each(remote: str, settings: Settings) -> None:
    settings.OPSPILOT_CONNECTOR_SLOTS = 9
    flood = take_all(remote, FLOOD)
    assert [take(remote, QUIET), take(remote, THIRD)] == [None, None]
    for held in flood:
        release(remote, held)
    assert [len(take_all(remote, who)) for who in (FLOOD, QUIET, THIRD)] == [3, 3, 3]


def test_one_that_only_works_and_does_not_wait_takes_nothing_from_a_flood(remote: str) -> None:
    assert take(remote, QUIET)
    assert len(take_all(remote, FLOOD)) == 7


def test_who_waits_no_longer_leaves_all_to_the_flood(
    remote: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slots, "PATIENCE", 0.05)
    flood = take_all(remote, FLOOD)
    assert take(remote, QUIET) is None
    time.sleep(0.06)
    release(remote, flood[0])
    assert take(remote, FLOOD)


def test_a_block_holds_its_slot_and_gives_it_back_after_an_error(
    remote: str, settings: Settings
) -> None:
    settings.OPSPILOT_CONNECTOR_SLOTS = 1

    def fails() -> None:
        assert take(remote, FLOOD) is None
        raise ValueError("x")

    with pytest.raises(ValueError, match="x"), slots.hold(remote, tenant_id=FLOOD):
        fails()
    with slots.hold(remote, tenant_id=FLOOD):
        pass


class Counter:
    """How many are inside at the same time, at most."""

    def __init__(self) -> None:
        self.now = self.most = self.served = 0
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        with self._lock:
            self.now += 1
            self.served += 1
            self.most = max(self.most, self.now)

    def __exit__(self, *_error: object) -> None:
        with self._lock:
            self.now -= 1


def test_sixteen_at_once_never_hold_more_than_the_limit(remote: str, settings: Settings) -> None:
    settings.OPSPILOT_CONNECTOR_SLOTS = 5
    inside = Counter()

    def work() -> None:
        for _ in range(20):
            try:
                with slots.hold(remote, tenant_id=FLOOD), inside:
                    time.sleep(0.002)
            except slots.NoneFreeError:
                time.sleep(0.002)

    assert at_once([work] * 16) == [None] * 16
    assert inside.most == 5
    assert inside.served > 50


def test_a_flood_of_threads_leaves_a_quiet_company_its_half(remote: str) -> None:
    """Twelve threads never stop taking; the quiet one has its half within two seconds."""
    stop = threading.Event()
    most = Counter()

    def flood() -> None:
        while not stop.is_set():
            try:
                with slots.hold(remote, tenant_id=FLOOD), most:
                    time.sleep(0.02)
            except slots.NoneFreeError:
                time.sleep(0.005)

    def quiet() -> int:
        found: list[Held] = []
        until = time.monotonic() + 2
        while len(found) < 4 and time.monotonic() < until:
            if held := take(remote, QUIET):
                found.append(held)
            else:
                time.sleep(0.01)
        time.sleep(0.1)
        most.most = 0  # from here on both have their half
        time.sleep(0.2)
        stop.set()
        return len(found)

    outcomes = at_once([*[flood] * 12, quiet])
    assert sorted(outcomes, key=str) == [4, *[None] * 12]
    assert most.most <= 4
