"""A run in the hands of one worker: what it knows of it from its claim to its end."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from uuid import UUID

from grounding.retrieval.coverage import Level
from opspilot.harness.asking import Payer
from opspilot.harness.guards import identities
from opspilot.harness.guards.identities import Identity
from opspilot.harness.models import Run, RunStep
from opspilot.harness.planning import choosing
from opspilot.harness.planning.port import (
    Planner,
    SearchKnowledge,
    Situation,
    Taken,
    Vocabulary,
)
from opspilot.harness.running import bounds, claims, levels, looking, steps, uses, vocabulary
from opspilot.harness.running.bounds import Bounds
from opspilot.harness.running.looking import Found
from opspilot.harness.running.steps import Made
from opspilot.harness.running.uses import Use
from opspilot.presentation.normal_form import nfc
from opspilot.tenancy.principal import Role


@dataclass(slots=True)
class Trip:
    """`taken` are the steps of this try; `number` is that of the run's last step of all; `found` is
    what its last search found, `searched` how well each search of this try covered its query.
    `worked_ms`: what earlier workers spent on the steps of this try."""

    run: Run
    planner: Planner
    identity: Identity
    vocabulary: Vocabulary
    bounds: Bounds
    number: int = 0
    worked_ms: int = 0
    taken: list[Taken] = field(default_factory=list)
    found: Found | None = None
    searched: list[Level] = field(default_factory=list)
    use: Use = uses.NOTHING
    began: float = field(default_factory=time.monotonic)

    def milliseconds(self) -> int:
        return self.worked_ms + int((time.monotonic() - self.began) * 1000)

    def bound(self) -> str:
        return self.bounds.reached(self.taken, self.milliseconds() / 1000)

    @property
    def coverage(self) -> Level | None:
        """Under which a command is prepared and kept."""
        return levels.of_try(self.searched)

    def keep(self, found: Found) -> None:
        """What a search of this try found."""
        self.found = found
        self.searched.append(found.level)

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
    # Models that an earlier worker asked are this end's to name: it tells what they cost.
    used = uses.NOTHING if run.embedded else sum(map(uses.of_step, mine), uses.NOTHING)
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
        use=used,
    )
    return trip, mine


def recall(trip: Trip, rows: list[RunStep]) -> None:
    """What a worker before did is not done again: its searches are read from their receipts. With no
    transaction open. Raises LateRunError and UnavailableError as a search does."""
    for row in rows:
        call = steps.call_of(row)
        if isinstance(call, SearchKnowledge) and row.receipt is not None:
            trip.taken.append(_recalled(trip, row, call.query, row.receipt))
        else:
            trip.taken.append(steps.taken(row))


def _recalled(trip: Trip, row: RunStep, query: str, receipt: UUID) -> Taken:
    """A search whose receipt cannot be read back counts as one that found nothing."""
    found = looking.again(trip.run, query, receipt)
    if found is None:
        trip.found = None
        trip.searched.append("nenhuma")
        return replace(steps.taken(row), coverage="nenhuma")
    trip.keep(found)
    return replace(steps.taken(row, looking.passages(found)), coverage=found.level)
