"""A remote that fails is left alone by all processes, and tried again by exactly one of them."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from opspilot.resilience import breaker
from opspilot.resilience.models import Breaker
from tests.db.probing import WAIT
from tests.db.races import at_once

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def remote(settings: Settings) -> str:
    """A connector of the test's own: the table is everybody's."""
    settings.OPSPILOT_BREAKER_FAILURES = 5
    settings.OPSPILOT_BREAKER_SECONDS = WAIT
    settings.OPSPILOT_LEASE_SECONDS = 5.0
    return f"test-{uuid.uuid4().hex[:12]}"


def faults(remote: str, times: int) -> None:
    for _ in range(times):
        breaker.account(breaker.admit(remote), well=False)


def opened(remote: str) -> None:
    faults(remote, 5)
    assert Breaker.objects.get(connector=remote).state == "open"


def a_probe(remote: str) -> breaker.Admission:
    time.sleep(WAIT * 1.2)
    found = breaker.admit(remote)
    assert found.probe is not None
    return found


def test_faults_in_a_row_open_it(remote: str) -> None:
    faults(remote, 4)
    assert breaker.admit(remote).probe is None
    faults(remote, 1)
    with pytest.raises(breaker.OpenError) as caught:
        breaker.admit(remote)
    assert 0 < caught.value.retry_after <= WAIT


def test_a_success_begins_the_count_again(remote: str) -> None:
    faults(remote, 4)
    breaker.account(breaker.admit(remote), well=True)
    faults(remote, 4)
    assert breaker.admit(remote).failures == 4


def test_what_says_nothing_of_the_remote_is_not_counted(remote: str) -> None:
    faults(remote, 4)
    for _ in range(5):
        breaker.account(breaker.admit(remote), well=None)
    assert breaker.admit(remote).failures == 4


def test_one_remote_s_faults_do_not_close_another(remote: str) -> None:
    opened(remote)
    assert breaker.admit(f"{remote}-b").failures == 0


def test_after_the_wait_one_call_is_let_through_and_no_other(remote: str) -> None:
    opened(remote)
    a_probe(remote)
    with pytest.raises(breaker.OpenError) as caught:
        breaker.admit(remote)
    assert caught.value.retry_after == WAIT  # not as long as the prober's lease


def test_a_probe_that_succeeds_closes_it(remote: str) -> None:
    opened(remote)
    breaker.account(a_probe(remote), well=True)
    assert breaker.admit(remote) == breaker.Admission(remote, 0)


def test_a_probe_that_fails_begins_the_next_wait(remote: str) -> None:
    opened(remote)
    breaker.account(a_probe(remote), well=False)
    with pytest.raises(breaker.OpenError):
        breaker.admit(remote)
    assert a_probe(remote)


def test_a_probe_that_says_nothing_lets_another_one_try(remote: str) -> None:
    opened(remote)
    breaker.account(a_probe(remote), well=None)
    assert breaker.admit(remote).probe is not None


def test_a_dead_prober_s_turn_comes_back_by_its_lease(remote: str, settings: Settings) -> None:
    opened(remote)
    settings.OPSPILOT_LEASE_SECONDS = 0.1
    dead = a_probe(remote)
    with pytest.raises(breaker.OpenError):
        breaker.admit(remote)
    time.sleep(0.12)
    second = breaker.admit(remote)
    assert second.probe not in (None, dead.probe)


@pytest.mark.parametrize("well", [True, False, None])
def test_a_prober_that_comes_late_changes_nothing(
    remote: str, settings: Settings, well: bool | None
) -> None:
    opened(remote)
    settings.OPSPILOT_LEASE_SECONDS = 0.01
    late = a_probe(remote)
    settings.OPSPILOT_LEASE_SECONDS = 5.0
    second = a_probe(remote)
    before = Breaker.objects.filter(connector=remote).values().get()
    breaker.account(late, well)
    assert Breaker.objects.filter(connector=remote).values().get() == before
    assert before["probe_token"] == second.probe


@pytest.mark.parametrize("well", [True, False])
def test_a_call_from_before_it_opened_changes_nothing(remote: str, well: bool) -> None:
    faults(remote, 4)
    early = breaker.admit(remote)
    opened_by_another = breaker.admit(remote)
    breaker.account(opened_by_another, well=False)
    before = Breaker.objects.filter(connector=remote).values().get()
    breaker.account(early, well)
    assert Breaker.objects.filter(connector=remote).values().get() == before


def test_while_all_is_well_a_call_costs_one_read_and_no_write(remote: str) -> None:
    calls = breaker.guard(remote, verdict=lambda error: True)
    with CaptureQueriesContext(connection) as statements, calls:
        pass
    assert [row["sql"].split()[0] for row in statements] == ["SELECT"]


def test_the_guard_asks_for_a_verdict_and_passes_the_error_on(remote: str) -> None:
    asked: list[Exception | None] = []

    def verdict(error: Exception | None) -> bool:
        asked.append(error)
        return False

    failure = ValueError("x")
    with pytest.raises(ValueError, match="x"), breaker.guard(remote, verdict=verdict):
        raise failure
    assert asked == [failure]
    assert breaker.admit(remote).failures == 1


def test_a_process_that_is_told_to_stop_gives_its_probe_back(remote: str) -> None:
    opened(remote)
    time.sleep(WAIT * 1.2)
    with pytest.raises(KeyboardInterrupt), breaker.guard(remote, verdict=lambda error: False):
        raise KeyboardInterrupt
    assert breaker.admit(remote).probe is not None


def test_the_remote_s_answer_is_heard_also_when_it_cannot_be_accounted_for(
    remote: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    admission = breaker.admit(remote)

    def broken(*_arguments: object, **_values: object) -> None:
        raise DatabaseError("gone")

    monkeypatch.setattr(breaker, "_run", broken)
    breaker.account(admission, well=False)


def test_faults_at_the_same_instant_are_all_counted(remote: str, settings: Settings) -> None:
    settings.OPSPILOT_BREAKER_FAILURES = 100
    outcomes = at_once([lambda: faults(remote, 5)] * 8)
    assert outcomes == [None] * 8
    assert Breaker.objects.get(connector=remote).failures == 40


@pytest.mark.parametrize(
    ("count", "probes_wanted"), [(3, 20), pytest.param(8, 100, marks=pytest.mark.machine)]
)
def test_several_processes_send_exactly_one_probe_a_wait(
    remote: str, tmp_path: Path, count: int, probes_wanted: int
) -> None:
    """Between two probes lies a whole wait, and no probe begins before the last one has ended."""
    opened(remote)
    log = tmp_path / "probes"
    log.touch()
    command = [sys.executable, "-m", "tests.db.probing", remote, str(log), str(probes_wanted)]
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    processes = [
        subprocess.Popen(
            command, cwd=ROOT, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        for _ in range(count)
    ]
    errors = [process.communicate(timeout=90)[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * count, errors
    probes = sorted(tuple(map(int, line.split())) for line in log.read_text().splitlines())
    waits = [begun - ended for (_, ended), (begun, _) in itertools.pairwise(probes)]
    print(f"{count} processes: {len(probes)} probes, shortest wait {min(waits) / 1000:.0f} ms")
    assert len(probes) >= probes_wanted
    assert min(waits) >= WAIT * 1_000_000
