"""What the harness adds to a call of a model, beside bare commits of the same database.

The provider answers at once and stands at the port: what is measured is everything of ours around a
call, from the claim of a run to its end and its row of the trail. The HTTP client and the network are
not in it. Rounds of runs and of commits take turns, so that a busy machine slows both.
"""

from __future__ import annotations

import os
import statistics
from dataclasses import dataclass, field
from typing import Any

from opspilot.bench import stages
from opspilot.bench.stages import Say
from opspilot.bootstrap.instance import Instance
from opspilot.bootstrap.tools import interpreter

LIMITS = {"overhead_vs_commits": 3.0}


@dataclass
class Found:
    """Of each round, seconds a run and seconds a commit; `commits` that a run makes."""

    rounds: int
    runs: int  # of a round
    commits: int = 0
    statements: int = 0
    per_run: list[float] = field(default_factory=list)
    per_run_cpu: list[float] = field(default_factory=list)
    per_commit: list[float] = field(default_factory=list)


def measure(running: Instance, found: Found, say: Say) -> None:
    line = [interpreter(), "-m", "opspilot.bench.harness_inside"]
    told = stages.told(
        running, [*line, str(found.rounds), str(found.runs)], running.env_for("app", "reader")
    )
    for name, value in told.items():
        setattr(found, name, value)
    say(f"  {found.commits} commits and {found.statements} statements a run")
    say(f"  {_ms(found.per_run)} ms a run, of which {_ms(found.per_run_cpu)} ms of our processor")
    say(f"  {_ms(found.per_commit)} ms a bare commit")


def as_json(found: Found) -> dict[str, Any]:
    if not found.per_run:
        return {"ok": False}
    ratio = round(_overhead(found), 2)
    return {
        "ok": True,
        "within_limits": ratio <= LIMITS["overhead_vs_commits"],
        "limits": LIMITS,
        "overhead_vs_commits": ratio,
        "runs": found.rounds * found.runs,
        "commits_per_run": found.commits,
        "statements_per_run": found.statements,
        "run_ms": _ms(found.per_run),
        "run_cpu_ms": _ms(found.per_run_cpu),
        "commit_ms": _ms(found.per_commit),
        "load": [round(value, 1) for value in os.getloadavg()],
    }


def _overhead(found: Found) -> float:
    """The median over the rounds of a run by as many commits as it makes."""
    pairs = zip(found.per_run, found.per_commit, strict=True)
    return statistics.median(run / (found.commits * commit) for run, commit in pairs)


def _ms(seconds: list[float]) -> float:
    return round(statistics.median(seconds) * 1000, 2)
