"""A run in the hands of one worker: what it knows of it from its claim to its end."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from opspilot.harness.asking import Payer
from opspilot.harness.guards import identities
from opspilot.harness.guards.identities import Identity
from opspilot.harness.models import Run, RunStep
from opspilot.harness.planning import choosing
from opspilot.harness.planning.port import (
    Passage,
    Planner,
    SearchKnowledge,
    Situation,
    Taken,
    Vocabulary,
)
from opspilot.harness.running import bounds, claims, looking, steps, uses, vocabulary
from opspilot.harness.running.bounds import Bounds
from opspilot.harness.running.looking import Found
from opspilot.harness.running.steps import Made
from opspilot.harness.running.uses import Use
from opspilot.presentation.normal_form import nfc
from opspilot.tenancy.principal import Role


@dataclass(slots=True)
class Trip:
    """`taken` are the steps of this try; `number` is that of the run's last step of all; `found` is
    what its last search found. `worked_ms`: what earlier workers spent on the steps of this try."""

    run: Run
    planner: Planner
    identity: Identity
    vocabulary: Vocabulary
    bounds: Bounds
    number: int = 0
    worked_ms: int = 0
    taken: list[Taken] = field(default_factory=list)
    found: Found | None = None
    use: Use = uses.NOTHING
    began: float = field(default_factory=time.monotonic)

    def milliseconds(self) -> int:
        return self.worked_ms + int((time.monotonic() - self.began) * 1000)

    def bound(self) -> str:
        return self.bounds.reached(self.taken, self.milliseconds() / 1000)

    def situation(self) -> Situation:
        return Situation(
            request=nfc(self.run.question),
            vocabulary=self.vocabulary,
            taken=tuple(self.taken),
            steps_left=self.bounds.left(self.taken),
        )

    def write(self, made: Made) -> None:
        """The next step, by who holds the claim, in the open transaction."""
        self.number += 1
        self.use += made.use
        steps.write(
            self.run,
            self.number,
            made,
            planner=self.planner.name,
            instruction_hash=self.planner.instruction_hash,
        )


def begin(run: Run) -> tuple[Trip, list[RunStep]]:
    """In the scope that claimed the run. The rows are its steps of this try, to be recalled."""
    rows = steps.of(run)
    mine = [row for row in rows if row.number > run.steps_from]
    identity = identities.of_run(requester=run.requester)
    trip = Trip(
        run=run,
        planner=choosing.planner(
            Payer(run.tenant_id, run.ref, lambda: claims.still_mine(run)), embedded=run.embedded
        ),
        identity=identity,
        vocabulary=vocabulary.of(frozenset(Role(role) for role in identity.holds)),
        bounds=bounds.in_force(),
        number=rows[-1].number if rows else 0,
        worked_ms=sum(row.duration_ms for row in mine),
    )
    return trip, mine


def recall(trip: Trip, rows: list[RunStep]) -> None:
    """What a worker before did is not done again: its searches are read from their receipts. With no
    transaction open. Raises UnavailableError as a search does."""
    for row in rows:
        trip.taken.append(steps.taken(row, _found_by(trip, row)))


def _found_by(trip: Trip, row: RunStep) -> tuple[Passage, ...]:
    call = steps.call_of(row)
    if not isinstance(call, SearchKnowledge) or row.receipt is None:
        return ()
    trip.found = looking.again(trip.run, call.query, row.receipt)
    return looking.passages(trip.found) if trip.found else ()
