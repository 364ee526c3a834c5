"""What a step took of models: which was asked, which served, what it read, wrote and cost."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from opspilot.connectors.ports import Completed
from opspilot.harness.models import RunStep


@dataclass(frozen=True, slots=True)
class Use:
    """Of one step, or of several together. None = nobody knows. No model is no token and no cost."""

    asked: str = ""
    served: str = ""
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    cost: Decimal | None = Decimal(0)

    def __add__(self, later: Use) -> Use:
        """The names are those of the later model, where there is one."""
        named = later if later.served else self
        return Use(
            named.asked,
            named.served,
            _sum(self.tokens_in, later.tokens_in),
            _sum(self.tokens_out, later.tokens_out),
            None if self.cost is None or later.cost is None else self.cost + later.cost,
        )


NOTHING = Use()


def of(completed: Completed | None, cost: Decimal | None) -> Use:
    if completed is None:
        return Use(cost=cost)
    return Use(
        completed.asked[:80],
        completed.served[:80],
        completed.tokens_in,
        completed.tokens_out,
        cost,
    )


def of_step(row: RunStep) -> Use:
    return Use(row.model_asked, row.model_served, row.tokens_in, row.tokens_out, row.cost)


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other
