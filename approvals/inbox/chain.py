"""The attempts of one request: what a proposal asks again, and what asks it again, with their fates."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from approvals.models import AgenteAprovacao, Execution
from opspilot.tenancy import sql
from opspilot.tenancy.scope import current_tenant_id

FURTHEST = (
    10  # links followed each way; a request asked more often than that is shown cut, and says so
)
_CHAIN = Path(__file__).parents[1] / "sql" / "chain.sql"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One proposal of the chain. `execution` None = there was none."""

    proposal: AgenteAprovacao
    execution: Execution | None
    later: bool


@dataclass(frozen=True, slots=True)
class Chain:
    """The others, oldest first; `cut` is true where there are more than FURTHEST on one side.
    `beside` was read with them and is none of them."""

    attempts: tuple[Attempt, ...]
    cut: bool
    beside: AgenteAprovacao | None = None

    @property
    def following(self) -> AgenteAprovacao | None:
        """The one that asks this proposal again."""
        return next((attempt.proposal for attempt in self.attempts if attempt.later), None)


def of(proposal: AgenteAprovacao, *, beside: int | None = None) -> Chain:
    """One statement, which also reads the proposal `beside`, of whatever chain."""
    asked = {"here": proposal.pk, "beside": beside, "furthest": FURTHEST}
    found = AgenteAprovacao.objects.raw(
        sql.named(_CHAIN), asked | {"tenant_id": current_tenant_id()}
    )
    rows = [(vars(row)["place"], row) for row in found]
    attempts = tuple(Attempt(row, _effect(row), place > 0) for place, row in rows if place)
    earlier = [attempt.proposal for attempt in attempts if not attempt.later]
    cut = (len(earlier) == FURTHEST and earlier[0].anterior_id is not None) or (
        len(attempts) - len(earlier) == FURTHEST
    )
    return Chain(attempts, cut, next((row for place, row in rows if not place), None))


def _effect(row: AgenteAprovacao) -> Execution | None:
    found = vars(row)["effect"]
    return sql.built(Execution, found) if found else None
