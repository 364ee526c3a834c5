"""What a worker of a crash run is told, and the moments at which it may be told to die."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Literal

# In the order in which an effect passes them; `approvals.execution.points` says what each means.
POINTS = (
    "before_claim",
    "after_claim",
    "intent_written",
    "connected",
    "half_sent",
    "sent",
    "remote_committed",
    "answer_read",
    "before_commit",
    "after_commit",
    "outbox_sent_unmarked",
    "mid_reconcile",
)


@dataclass(frozen=True, slots=True)
class Order:
    """One execution to be carried on until nothing is due any more.

    `point` "" lives to the end; `act` says whether the process is killed there or only stopped.
    `log` is the remote's own, read at `remote_committed`. `after` is the process that this one
    takes over from: it begins once that one holds the execution in the state `held`, or is no more.
    `letters`: notices are spread and delivered too.
    """

    number: int
    tenant: str
    execution: int
    marker: str
    log: str
    point: str = ""
    act: Literal["kill", "stop"] = "kill"
    after: int = 0
    held: str = ""
    letters: bool = False

    def line(self) -> str:
        return json.dumps(asdict(self)) + "\n"


def read(line: str) -> Order:
    return Order(**json.loads(line))
