"""What the core asks of an effect. Each kind knows its own remote; the core knows claims, attempts,
settlement and the trail."""

from __future__ import annotations

import datetime as dt
from typing import Any, Protocol

from approvals.actions import ISSUE_CLOSED, ISSUE_CREATED
from approvals.execution.closing_effect import ClosingEffect
from approvals.execution.issue_effect import IssueEffect
from approvals.execution.seen import Found, Progress, Seen
from approvals.execution.task_effect import TaskEffect
from approvals.models import AgenteAprovacao
from approvals.rules import Version
from approvals.tasks.task_command import TASK_RUN
from opspilot.connectors import writers
from opspilot.connectors.issues import IssueTracker
from opspilot.connectors.tasks import TaskRunner


class Effect(Protocol):
    """`connector` names whose breaker and slots guard it. `may_resend`: a second request can be told
    from the first afterwards, so that a lost one may be sent again by itself, inside the rules.

    Nothing here opens a transaction; what speaks to the remote raises any ConnectorError.
    """

    connector: str
    may_resend: bool

    @property
    def timeout(self) -> float:
        """Seconds after which one request of ours is certainly over."""
        ...

    def faults(self, proposal: AgenteAprovacao, *, version: Version | None = None) -> str:
        """Why it must not be sent, without the network: a reason code, or "". `version` is that of
        the policy in force, where the caller has just read it."""
        ...

    def preflight(self, proposal: AgenteAprovacao) -> str:
        """The same after a look at the remote, right before."""
        ...

    def body(self, proposal: AgenteAprovacao, marker: str) -> dict[str, Any]:
        """Exactly what is sent."""
        ...

    def check(self, body: dict[str, Any]) -> None:
        """ValueError for a body that would not leave, before there is an attempt that might have."""
        ...

    def send(self, proposal: AgenteAprovacao, body: dict[str, Any]) -> Seen:
        """One request, never a second."""
        ...

    def find(self, proposal: AgenteAprovacao, marker: str, *, since: dt.datetime) -> Found:
        """By listing."""
        ...

    def get(self, proposal: AgenteAprovacao, remote: dict[str, Any]) -> Seen:
        """What a person says is our effect, as proof: `differs` also when it is not ours at all."""
        ...

    def follow(
        self, proposal: AgenteAprovacao, remote: dict[str, Any], *, since: dt.datetime
    ) -> Progress:
        """How what was started stands. Raises only while there is time left: `since` counts."""
        ...


def effect_of(
    kind: str, *, tracker: IssueTracker | None = None, runner: TaskRunner | None = None
) -> Effect | None:
    """None for a kind that nothing here carries out. Without a port the configured one is used."""
    if kind == ISSUE_CREATED:
        return IssueEffect(tracker or writers.issue_tracker())
    if kind == ISSUE_CLOSED:
        return ClosingEffect(tracker or writers.issue_tracker())
    if kind == TASK_RUN:
        return TaskEffect(runner or writers.task_runner())
    return None
