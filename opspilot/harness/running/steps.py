"""The steps of a run as rows: each written in the transaction that ends it, and read back by whoever
goes on with the run."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from pydantic import TypeAdapter, ValidationError

from opspilot.harness.models import Run, RunStep
from opspilot.harness.planning.port import Call, Outcome, Passage, Taken
from opspilot.harness.running import uses
from opspilot.harness.running.uses import Use

_CALL: TypeAdapter[Call] = TypeAdapter(Call)


@dataclass(frozen=True, slots=True)
class Made:
    """One step. `call` None: what was planned could not be read, and `code` says why."""

    call: Call | None
    outcome: Outcome
    duration_ms: int
    use: Use = uses.NOTHING
    code: str = ""
    coverage: str = ""
    receipt: UUID | None = None


def since(began: float) -> int:
    """Milliseconds from a moment of the monotonic clock."""
    return int((time.monotonic() - began) * 1000)


def write(run: Run, number: int, made: Made, *, planner: str, instruction_hash: str) -> None:
    """In the scope, by who holds the run's claim. The database refuses a number that is there."""
    use = made.use
    RunStep.objects.create(
        tenant_id=run.tenant_id,
        run=run,
        number=number,
        tool=made.call.tool if made.call else "",
        arguments=made.call.model_dump(mode="json", exclude={"tool"}) if made.call else {},
        outcome=made.outcome,
        code=made.code[:40],
        coverage=made.coverage,
        receipt=made.receipt,
        duration_ms=made.duration_ms,
        planner=planner[:80],
        instruction_hash=instruction_hash[:64],
        model_asked=use.asked,
        model_served=use.served,
        tokens_in=use.tokens_in,
        tokens_out=use.tokens_out,
        cost=use.cost,
    )


def of(run: Run) -> list[RunStep]:
    return list(RunStep.objects.filter(run=run).order_by("number"))


def taken(row: RunStep, passages: Sequence[Passage] = ()) -> Taken:
    """As the planner is told of it."""
    return Taken(
        call=call_of(row),
        outcome=_OUTCOMES[row.outcome],
        code=row.code,
        coverage=row.coverage,
        passages=tuple(passages),
    )


def call_of(row: RunStep) -> Call | None:
    """None for what was no plan, and for one whose words were taken away with the request's."""
    if not row.tool:
        return None
    try:
        return _CALL.validate_json(json.dumps({"tool": row.tool, **row.arguments}))
    except ValidationError:
        return None


_OUTCOMES: dict[str, Outcome] = {"done": "done", "refused": "refused", "invalid": "invalid"}
