"""From the end of a hold to the effect: how soon, how many a second, and beside another's flood.

The remote answers after LATENCY on every request. What it and the workers' lanes allow is counted
from its own log, so that a change of how many requests an effect needs changes what is possible.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg

from opspilot.bench import stages
from opspilot.bench.execution_inside import LOW, MEDIUM
from opspilot.bench.stages import Say
from opspilot.bootstrap import postgres
from opspilot.bootstrap.instance import Instance
from opspilot.bootstrap.processes import Child
from opspilot.bootstrap.tools import interpreter
from opspilot.smoke.expectation import expect
from opspilot.smoke.sandbox import Sandbox

FLOODING, OTHER = "aurora", "vizinha-um"
LATENCY = 0.05  # seconds
WORKERS = 2
IDLE, PAUSE = 30, 0.7  # effects on an idle worker, seconds between their decisions
FEW = 20  # of the other company, in quiet and beside the flood
PATIENCE = 600.0  # seconds for all of one stage to be done
LIMITS = {"hold_end_to_effect_p95_ms": 2000.0, "flood_median_vs_quiet": 1.5}
LEAST = 0.7  # of what the latency and the lanes allow


@dataclass
class Found:
    queued: int
    waits: list[float] = field(default_factory=list)  # seconds, hold end to effect
    rate: float = 0.0  # effects a second
    possible: float = 0.0
    quiet: list[float] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)


def measure(running: Instance, found: Found, say: Say) -> None:
    sandbox = Sandbox(running.sandbox_url)
    sandbox.configure(latency=LATENCY)
    try:
        found.waits = _waits(running, _approve(running, FLOODING, MEDIUM, IDLE, PAUSE))
        say(f"  idle: {IDLE} effects, p95 {_p95(found.waits):.0f} ms after the end of the hold")
        with _workers(running):
            found.quiet = _waits(running, _approve(running, OTHER, LOW, FEW, PAUSE))
        say(f"  quiet: median {_median(found.quiet):.0f} ms")
        _flood(running, sandbox, found, say)
    finally:
        sandbox.close()


def _flood(running: Instance, sandbox: Sandbox, found: Found, say: Say) -> None:
    """All of one company's are due before a worker starts; the other's come while they are done."""
    running.children["worker"].stop()
    flood = _approve(running, FLOODING, LOW, found.queued, 0.0)
    say(f"  {len(flood):,} executions wait")
    before = len(sandbox.requests())
    with _workers(running):
        found.beside = _waits(running, _approve(running, OTHER, LOW, FEW, PAUSE))
        left = _undone(running, flood)
        expect(left > 0, "the flood ended before the other company's last effect: queue more")
        _done(running, flood)
    say(f"  beside the flood: median {_median(found.beside):.0f} ms, {left:,} of it were left")
    ends = _ends(running, flood)
    found.rate = (len(ends) - 1) / (ends[-1] - ends[0])
    each = (len(sandbox.requests()) - before) / (len(flood) + FEW)
    lanes = WORKERS * int(running.settings.get("OPSPILOT_EXECUTION_LANES", "2"))
    found.possible = lanes / (each * LATENCY)
    say(f"  {found.rate:.1f} effects/s; {each:.1f} requests each, so {found.possible:.1f} possible")


@contextmanager
def _workers(running: Instance) -> Iterator[None]:
    """So many workers and no other; the first is the instance's own."""
    if running.children["worker"].ended():
        running.start_child("worker")
    env = running.env_for("app", "reader", "maintenance")
    line = [interpreter(), "manage.py", "worker"]
    more = [
        Child(f"worker-{n}", running.data, line, env, grace=20.0) for n in range(2, WORKERS + 1)
    ]
    for child in more:
        child.start()
    try:
        time.sleep(2.0)  # they have no door to knock at
        yield
    finally:
        for child in more:
            child.stop()


def _approve(running: Instance, slug: str, project: str, count: int, pause: float) -> list[int]:
    line = [interpreter(), "-m", "opspilot.bench.execution_inside", slug, project, str(count)]
    found = stages.told(running, [*line, str(pause)], running.env_for("app", "reader"))
    made: list[int] = found["executions"]
    return made


def _waits(running: Instance, executions: Sequence[int]) -> list[float]:
    """Seconds from the end of each hold until the remote's answer was written."""
    _done(running, executions)
    return _column(
        running,
        "SELECT extract(epoch FROM min(t.at) - e.not_before)::float8 FROM execution e"
        " JOIN execution_attempt t ON t.execution_id = e.id AND t.kind = 'resposta'"
        " WHERE e.id = ANY(%s) GROUP BY e.id",
        executions,
    )


def _ends(running: Instance, executions: Sequence[int]) -> list[float]:
    query = (
        "SELECT extract(epoch FROM min(at))::float8 FROM execution_attempt"
        " WHERE kind = 'resposta' AND execution_id = ANY(%s) GROUP BY execution_id ORDER BY 1"
    )
    return _column(running, query, executions)


def _done(running: Instance, executions: Sequence[int]) -> None:
    deadline = time.monotonic() + PATIENCE
    while left := _undone(running, executions):
        expect(time.monotonic() < deadline, f"{left} executions are not done")
        time.sleep(0.5)


def _undone(running: Instance, executions: Sequence[int]) -> int:
    query = "SELECT count(*)::float8 FROM execution WHERE id = ANY(%s) AND state <> 'concluida'"
    return int(_column(running, query, executions)[0])


def _column(running: Instance, query: str, executions: Sequence[int]) -> list[float]:
    assert running.server is not None
    with psycopg.connect(postgres.admin_dsn(running.server)) as admin:
        return [row[0] for row in admin.execute(query.encode(), [list(executions)]).fetchall()]


def as_json(found: Found) -> dict[str, Any]:
    if not found.rate:
        return {"ok": False, "queued": found.queued}
    figures = {
        "hold_end_to_effect_p95_ms": round(_p95(found.waits), 1),
        "rate_vs_possible": round(found.rate / found.possible, 2),
        "flood_median_vs_quiet": round(_median(found.beside) / _median(found.quiet), 2),
    }
    within = all(figures[name] <= limit for name, limit in LIMITS.items())
    return {
        "ok": True,
        "within_limits": within and figures["rate_vs_possible"] >= LEAST,
        "limits": LIMITS | {"rate_vs_possible": LEAST},
        "queued": found.queued,
        "workers": WORKERS,
        "latency_ms": LATENCY * 1000,
        "load": [round(value, 1) for value in os.getloadavg()],
        **figures,
        "effects_per_second": round(found.rate, 1),
        "possible_per_second": round(found.possible, 1),
        "quiet_median_ms": round(_median(found.quiet), 1),
        "beside_flood_median_ms": round(_median(found.beside), 1),
    }


def _median(seconds: list[float]) -> float:
    return statistics.median(seconds) * 1000


def _p95(seconds: list[float]) -> float:
    return sorted(seconds)[min(len(seconds) - 1, int(len(seconds) * 0.95))] * 1000
