"""The steps in their order, what became of each, and how long it took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from opspilot.smoke import auditing, deciding, executing, knowing, requesting
from opspilot.smoke.cast import Cast
from opspilot.smoke.database import VERSIONS

Scene = TypeVar("Scene")
STEPS: tuple[Callable[[Cast], None], ...] = (
    knowing.upload_published,
    knowing.answer_cited,
    knowing.abstained,
    requesting.proposal_created,
    requesting.explicit_command_no_model,
    deciding.self_approval_refused,
    deciding.other_tenant_404,
    deciding.approved,
    executing.issue_created_once,
    executing.lost_answer_no_duplicate,
    deciding.second_decision_refused,
    auditing.entity_history_complete,
    auditing.trail_update_refused_by_database,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    name: str
    ok: bool
    ms: int
    fault: str = ""

    @property
    def line(self) -> str:
        words = f"  {'ok' if self.ok else 'FAILED':<7} {self.name:<34} {self.ms:>6} ms"
        return f"{words}  {self.fault}" if self.fault else words


def outcomes(cast: Cast) -> Iterator[Outcome]:
    """Every step is tried: one fault must not hide the next."""
    for step in STEPS:
        yield timed(step.__name__, step, cast)


def timed(name: str, step: Callable[[Scene], None], scene: Scene) -> Outcome:
    started = time.monotonic()
    fault = _fault(step, scene)
    elapsed = round((time.monotonic() - started) * 1000)
    return Outcome(name, not fault, elapsed, fault)


@dataclass
class Report:
    """What is known so far; a run that is cut short is not ok."""

    outcomes: list[Outcome] = field(default_factory=list)
    start_ms: int = 0
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        whole = len(self.outcomes) == len(STEPS) and bool(self.versions)
        return whole and all(outcome.ok for outcome in self.outcomes)

    def as_json(self) -> dict[str, Any]:
        timings = {outcome.name: outcome.ms for outcome in self.outcomes}
        return {
            "ok": self.ok,
            "steps": {outcome.name: outcome.ok for outcome in self.outcomes},
            "timings_ms": {"start": self.start_ms} | timings,
            **{name: self.versions.get(name, "") for name in VERSIONS},
        }


def _fault(step: Callable[[Scene], None], scene: Scene) -> str:
    try:
        step(scene)
    except Exception as exc:  # noqa: BLE001 - whatever went wrong is this step's result
        return f"{type(exc).__name__}: {' '.join(str(exc).split())[:300]}"
    return ""
