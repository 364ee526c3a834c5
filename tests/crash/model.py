"""What must come of a run, from the rules alone: nothing here asks the product.

The rules (reliability, and issue 5): what may have happened is looked for and never sent again on
its own; only after clean looks over the grace, within the budget, one more request leaves, and that
of a task never. A refusal or a throttle that was read is an answer: nothing was done.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Literal

from tests.crash.orders import POINTS

MAX_SENDS = 2  # requests that may have had their effect, before only a person may ask for more
Recovery = Literal["same", "other", "person"]
RECOVERIES: tuple[Recovery, ...] = ("same", "other", "person")


class Says(Enum):
    """What the worker learns from the remote's answer, if it lives to read it."""

    DONE = "done"
    NO = "no"
    LATER = "later"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Outcome:
    stores: bool
    says: Says


OUTCOMES = {
    "stored_201": Outcome(True, Says.DONE),
    "refused": Outcome(False, Says.NO),
    "throttled": Outcome(False, Says.LATER),
    "error_not_stored": Outcome(False, Says.NOTHING),
    "error_stored": Outcome(True, Says.NOTHING),
    "timeout_not_stored": Outcome(False, Says.NOTHING),
    "timeout_stored": Outcome(True, Says.NOTHING),
    "reset_stored": Outcome(True, Says.NOTHING),
    "broken_body_stored": Outcome(True, Says.NOTHING),
    "slow_201": Outcome(True, Says.NOTHING),  # slower than the client waits, and than the lease
}
UNTOUCHED = frozenset({"before_claim", "after_claim"})
UNARRIVED = frozenset({"intent_written", "connected", "half_sent"})
UNREAD = frozenset({"sent", "remote_committed", "answer_read", "before_commit"})


@dataclass(frozen=True, slots=True)
class Cell:
    point: str
    outcome: str
    recovery: Recovery

    @property
    def dies_first_at(self) -> str:
        """A look-up that is never made has no middle: where the answer would have settled it, the
        first worker dies before it reads it, and the next one in its look-up."""
        looks_anyway = OUTCOMES[self.outcome].says is Says.NOTHING
        return self.point if self.point != "mid_reconcile" or looks_anyway else "remote_committed"


@dataclass(frozen=True, slots=True)
class End:
    """`requests` to create that reached the remote whole, and `effects` that it stored."""

    state: str
    requests: int
    effects: int


DONE, REFUSED, UNKNOWN = "concluida", "recusada", "desconhecida"
LETTERS = {DONE: "C", REFUSED: "R", UNKNOWN: "D"}


@dataclass(frozen=True, slots=True)
class Kind:
    """`resends`: a second request can be told from the first. `listed`: the list shows what is
    stored before the looks are over."""

    resends: bool
    listed: bool = True


def cells() -> list[Cell]:
    return [Cell(*each) for each in product(POINTS, OUTCOMES, RECOVERIES)]


def rotating() -> list[Cell]:
    """Every point with every outcome once, the recoveries in turn."""
    pairs = list(product(POINTS, OUTCOMES))
    # Ten columns to a row: without the shift each column would have a recovery of its own.
    return [
        Cell(point, outcome, RECOVERIES[(n + n // 10) % 3])
        for n, (point, outcome) in enumerate(pairs)
    ]


def sample() -> list[Cell]:
    """36: each point three times, each outcome at least three times, each recovery twelve times."""
    outcomes = list(OUTCOMES)
    pairs = enumerate(product(POINTS, RECOVERIES))
    return [Cell(point, outcomes[n % 10], recovery) for n, (point, recovery) in pairs]


def predicted(cell: Cell, kind: Kind) -> End:
    outcome = OUTCOMES[cell.outcome]
    point = cell.point
    if point == "mid_reconcile" and outcome.says is not Says.NOTHING:
        point = cell.dies_first_at
    if point in UNARRIVED:
        return _not_found(kind, doubt=1, requests=0, then=outcome)
    if point in UNREAD:
        return _looked_for(outcome, kind, doubt=1, requests=1)
    return _met(outcome, kind, doubt=0, requests=0)


_PLAIN = OUTCOMES["stored_201"]  # an order is for one request: the next is answered as usual


def _met(outcome: Outcome, kind: Kind, *, doubt: int, requests: int) -> End:
    """A request leaves, and its answer, or that there is none, is written. `doubt` counts the
    earlier ones that may have had the effect."""
    requests += 1
    match outcome.says:
        case Says.DONE:
            return End(DONE, requests, 1)
        case Says.NO:
            return End(UNKNOWN if doubt else REFUSED, requests, 0)
        case Says.LATER:
            return _met(_PLAIN, kind, doubt=doubt, requests=requests)
    return _looked_for(outcome, kind, doubt=doubt + 1, requests=requests)


def _looked_for(outcome: Outcome, kind: Kind, *, doubt: int, requests: int) -> End:
    if not outcome.stores:
        return _not_found(kind, doubt=doubt, requests=requests, then=_PLAIN)
    return End(DONE if kind.listed else UNKNOWN, requests, 1)


def _not_found(kind: Kind, *, doubt: int, requests: int, then: Outcome) -> End:
    if not kind.resends or doubt >= MAX_SENDS:
        return End(UNKNOWN, requests, 0)
    return _met(then, kind, doubt=doubt, requests=requests)
