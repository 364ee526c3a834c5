"""Thousands of effects while the database is killed again and again: each is made once, or its state
is said. Not run unless asked for: `python3 manage.py test tests/crash -m soak`.

SOAK_JOBS says how many (5,000), SOAK_SEED repeats the pauses between two restarts.
"""

from __future__ import annotations

import json
import os
import random
import signal
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest

from opspilot.bench.execution_inside import LOW
from opspilot.bootstrap import postgres, postmaster
from opspilot.bootstrap.instance import Instance, instance
from opspilot.bootstrap.processes import run_to_end
from opspilot.bootstrap.signals import StopSignal
from opspilot.bootstrap.supervisor import Supervisor
from opspilot.bootstrap.testing import scratch
from opspilot.bootstrap.tools import interpreter
from opspilot.smoke.cast import TENANT
from opspilot.smoke.database import Database
from opspilot.smoke.sandbox import Sandbox

pytestmark = pytest.mark.soak
JOBS = int(os.environ.get("SOAK_JOBS") or 5000)
SEED = os.environ.get("SOAK_SEED") or uuid.uuid4().hex[:8]
SHORTEST, LONGEST = 5.0, 40.0  # seconds between two ends of the database
ENDS = (signal.SIGKILL, signal.SIGQUIT, signal.SIGINT)  # a crash, an immediate and a fast stop
LATENCY = 0.2  # seconds of the remote's before each answer
GLANCE, PATIENCE, LONGEST_AWAY = 0.3, 30.0, 3.0
SETTINGS = {
    "OPSPILOT_GITLAB_TIMEOUT": "3",
    "OPSPILOT_LEASE_SECONDS": "6",
    "OPSPILOT_GRACE_SECONDS": "20",
}
_OPEN = """
SELECT count(*) FROM execution
 WHERE id = ANY(%s) AND (state IN ('retida', 'em_envio') OR next_lookup_at IS NOT NULL)
"""
_ENDS = "SELECT marker, state FROM execution WHERE id = ANY(%s)"
_SENT = """
SELECT execution_id, count(*) FROM execution_attempt
 WHERE execution_id = ANY(%s) AND kind = 'envio' GROUP BY 1
"""


@dataclass
class Soak:
    console: Instance
    jobs: list[int] = field(default_factory=list)
    restarts: int = 0
    supervisor: Supervisor = field(init=False)
    drawn: random.Random = field(default_factory=lambda: random.Random(SEED))  # noqa: S311

    def __post_init__(self) -> None:
        self.supervisor = Supervisor(self.console, StopSignal())

    def run(self) -> None:
        deadline = time.monotonic() + 300 + 2 * JOBS
        next_end = time.monotonic() + self._pause()
        while self._open():
            assert time.monotonic() < deadline, "there is no end to it"
            if time.monotonic() > next_end:
                self._end_database()
                next_end = time.monotonic() + self._pause()
            self.supervisor.glance(time.monotonic())
            time.sleep(GLANCE)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        database = Database(self.console.env["DATABASE_URL"])
        return database.rows(query, [self.jobs], tenant=TENANT)

    def _open(self) -> bool:
        """Of a database that is away nothing is known yet."""
        try:
            return bool(self.rows(_OPEN)[0][0])
        except psycopg.OperationalError:
            return True

    def _end_database(self) -> None:
        assert self.console.server is not None
        order = ENDS[self.restarts % len(ENDS)]
        assert postmaster.send(self.console.server.cluster_dir, order)
        assert postmaster.wait_gone(self.console.server.cluster_dir, PATIENCE)
        time.sleep(self.drawn.uniform(0.0, LONGEST_AWAY))
        postgres.start(self.console.data.root)
        self.restarts += 1
        # A new one waits a second for the worker, where `up` would come to wait for half a minute.
        self.supervisor = Supervisor(self.console, StopSignal())

    def _pause(self) -> float:
        return self.drawn.uniform(SHORTEST, LONGEST)


@pytest.fixture
def soak() -> Iterator[Soak]:
    """All jobs are approved and due before a worker lives."""
    folder = Path(tempfile.mkdtemp(prefix="opspilot-soak-", dir=scratch())).resolve()
    folder.chmod(0o711)  # the database's own user passes through
    try:
        with instance(folder, environ=SETTINGS) as console:
            console.children["worker"].stop()
            soak = Soak(console, _approved(console, JOBS))
            console.start_child("worker")
            yield soak
    finally:
        postgres.remove(folder)


def _approved(console: Instance, jobs: int) -> list[int]:
    line = [interpreter(), "-m", "opspilot.bench.execution_inside", TENANT, LOW, str(jobs), "0"]
    output = run_to_end("soak", console.data, line, console.env_for("app", "reader"))
    made: list[int] = json.loads(output.splitlines()[-1])["executions"]
    return made


def test_however_often_the_database_dies_each_effect_is_made_once_or_its_state_is_said(
    soak: Soak, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(Sandbox(soak.console.sandbox_url)) as sandbox:
        sandbox.configure(latency=LATENCY)
        began = time.monotonic()
        soak.run()
        seconds = time.monotonic() - began
        states, made = dict(soak.rows(_ENDS)), Counter(_markers(sandbox))
        sends = Counter(count for _execution, count in soak.rows(_SENT))
    with capsys.disabled():
        print(
            f"\n{JOBS} jobs, {soak.restarts} ends of the database, {seconds:.0f} s;"
            f" states {dict(Counter(states.values()))}, requests a job {dict(sends)};"
            f" SOAK_SEED={SEED}"
        )
    assert [marker for marker, count in made.items() if count > 1] == []
    assert [m for m, state in states.items() if state == "concluida" and not made[m]] == []
    # Two requests that were cut off in a row use the budget up: then a person is asked.
    assert set(states.values()) <= {"concluida", "desconhecida"}
    assert soak.restarts > 0


def _markers(sandbox: Sandbox) -> Iterator[str]:
    """The last line of each issue that was made here."""
    for issue in sandbox.issues("opk"):
        yield issue["description"].rstrip().rpartition("\n")[2]
