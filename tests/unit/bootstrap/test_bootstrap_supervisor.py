from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from opspilot.bootstrap.datadir import DataDir, create
from opspilot.bootstrap.identity import identity
from opspilot.bootstrap.processes import Child, end_leftover
from opspilot.bootstrap.signals import StopSignal
from opspilot.bootstrap.supervisor import Backoff
from opspilot.bootstrap.surroundings import clean
from tests.unit.bootstrap.launched import lives, wait_for

FORKING = """
import subprocess, sys, time
print(subprocess.Popen(["sleep", "60"]).pid, flush=True)
time.sleep(60)
"""


def a_child(folder: Path, script: str = FORKING) -> Child:
    data = DataDir(folder)
    create(data)
    child = Child("worker", data, [sys.executable, "-c", script], os.environ, grace=1.0)
    child.start()
    return child


def grandchild(child: Child) -> int:
    wait_for(lambda: child.log.read_text().endswith("\n"), limit=10)
    return int(child.log.read_text())


def test_the_wait_doubles_up_to_half_a_minute() -> None:
    backoff = Backoff()
    waits = [backoff.plan(0.0, lived=0.1) for _ in range(7)]
    assert waits == [1, 2, 4, 8, 16, 30, 30]


def test_a_child_that_lived_long_is_started_again_after_a_second() -> None:
    backoff = Backoff(failures=6)
    assert backoff.plan(0.0, lived=3600) == 1


def test_stopping_a_child_ends_what_it_has_started(tmp_path: Path) -> None:
    child = a_child(tmp_path)
    below = grandchild(child)
    child.stop()
    assert not lives(below)


def test_a_child_that_ignores_the_request_is_killed_after_its_grace(tmp_path: Path) -> None:
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint(1, flush=True)\ntime.sleep(60)"
    child = a_child(tmp_path, deaf)
    grandchild(child)
    began = time.monotonic()
    child.stop()
    assert child.pid == 0
    assert 0.9 < time.monotonic() - began < 8


def test_what_a_dead_leader_has_left_is_found_and_ended(tmp_path: Path) -> None:
    child = a_child(tmp_path)
    below = grandchild(child)
    os.kill(child.pid, signal.SIGKILL)
    wait_for(child.ended, limit=10)
    assert end_leftover(child.data, "worker")
    assert not lives(below)


def test_a_process_that_is_dead_but_not_yet_reaped_counts_as_dead() -> None:
    with subprocess.Popen(["true"]) as process:
        wait_for(lambda: identity(process.pid) is None, limit=10)


def test_a_stop_request_wakes_the_sleeper_at_once() -> None:
    with StopSignal() as stop:
        os.kill(os.getpid(), signal.SIGTERM)
        began = time.monotonic()
        stop.pause(30)
    assert stop.requested
    assert time.monotonic() - began < 5


def test_libpq_and_the_interpreter_are_not_led_astray() -> None:
    strange = {
        "PGHOSTADDR": "192.0.2.1",
        "PYTHONPATH": "/x",
        "DATABASE_URL_OWNER_FILE": "/y",
        "LANG": "C",
    }
    assert set(clean(strange)) == {"LANG", "PATH", "PYTHONUNBUFFERED"}
