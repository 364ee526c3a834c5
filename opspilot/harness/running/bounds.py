"""How far a run goes: steps, seconds of work, and outputs that are no plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from opspilot.harness.planning.port import Taken

STEPS = "passos_esgotados"
DEADLINE = "prazo_da_rodada"
UNREADABLE = "plano_ilegivel"


@dataclass(frozen=True, slots=True)
class Bounds:
    steps: int
    seconds: float
    invalid: int

    def reached(self, taken: Sequence[Taken], seconds: float) -> str:
        """The code of the bound that ends the run; "" while it may go on. `seconds` are those it was
        worked on: to wait in the queue, or for a dead worker's lease, counts for nothing."""
        if sum(one.outcome == "invalid" for one in taken) >= self.invalid:
            return UNREADABLE
        if len(taken) >= self.steps:
            return STEPS
        return DEADLINE if seconds >= self.seconds else ""

    def left(self, taken: Sequence[Taken]) -> int:
        return max(0, self.steps - len(taken))


def in_force() -> Bounds:
    return Bounds(
        steps=settings.OPSPILOT_RUN_STEPS,
        seconds=settings.OPSPILOT_RUN_SECONDS,
        invalid=settings.OPSPILOT_RUN_INVALID_OUTPUTS,
    )
