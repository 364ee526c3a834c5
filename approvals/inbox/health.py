"""How the queue does, over a period and the one before it: each figure from MOST rows at the most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from approvals.tasks.task_refusals import NOT_THE_POLICY_S
from audit.vocabulary import ACTIONS
from opspilot.tenancy import sql

MOST = 100_000  # rows any of these reads; over it the newest are counted, and the page says so
PERIODS = (7, 30, 90)  # days
HASTE = 5  # seconds
STEPS = 4  # of age: an hour, four, a day, more
_SQL = Path(__file__).parents[1] / "sql"
EFFECTS = [action.name for action in ACTIONS.values() if action.effect]


@dataclass(frozen=True, slots=True)
class Closed:
    """How proposals ended. Seconds and haste are of those that people decided."""

    approved: int = 0
    refused: int = 0
    sent_back: int = 0
    expired: int = 0
    cancelled: int = 0
    median: float | None = None
    ninetieth: float | None = None
    at_once: int = 0
    unattended: int = 0  # approved by a rule or a standing permission

    @property
    def by_people(self) -> int:
        return self.approved + self.refused + self.sent_back - self.unattended

    @property
    def all(self) -> int:
        return self.by_people + self.unattended + self.expired + self.cancelled


@dataclass(frozen=True, slots=True)
class Pace:
    verdicts: int = 0
    in_a_row: int = 0  # within HASTE of the same person's verdict before


@dataclass(frozen=True, slots=True)
class Handed:
    """What was handed over to people, and the effects carried out: the one rate of the console."""

    over: int = 0
    effects: int = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    blocked: bool  # before sending; else refused at the door
    code: str
    count: int


@dataclass(frozen=True, slots=True)
class Health:
    """Pairs are (this period, the one before)."""

    waiting: Mapping[str, Sequence[int]]  # by risk, a count for each step of age
    closed: tuple[Closed, Closed]
    pace: tuple[Pace, Pace]
    handed: tuple[Handed, Handed]
    refusals: Sequence[Refusal]


def of(*, days: int) -> Health:
    closed = {row[0]: Closed(*row[1:]) for row in _rows("closed", days=days)}
    pace = {row[0]: Pace(*row[1:]) for row in _rows("in_a_row", days=days)}
    handed = {row[0]: Handed(*row[1:]) for row in _rows("handed_over", days=days, effects=EFFECTS)}
    return Health(
        waiting=_waiting(),
        closed=(closed.get(True, Closed()), closed.get(False, Closed())),
        pace=(pace.get(True, Pace()), pace.get(False, Pace())),
        handed=(handed.get(True, Handed()), handed.get(False, Handed())),
        refusals=[
            Refusal(*row) for row in _rows("refusals", days=days, unread=list(NOT_THE_POLICY_S))
        ],
    )


def _waiting() -> dict[str, list[int]]:
    found = {risk: [0] * STEPS for risk in ("alto", "medio", "baixo")}
    for risk, step, count in _rows("waiting"):
        found[risk][step] = count
    return found


def _rows(name: str, **parameters: Any) -> list[tuple[Any, ...]]:
    return sql.rows(_SQL / f"{name}.sql", most=MOST, **parameters)
