"""When a command is to be carried out: chosen by its requester before it becomes a proposal."""

from __future__ import annotations

import datetime as dt

from approvals import drafts, rules
from approvals.actions import ISSUE_CREATED
from approvals.stops import schedule
from approvals.tasks.task_command import TASK_RUN
from opspilot.harness import services
from opspilot.harness.models import Run
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Principal


def choose(*, principal: Principal, run: Run, wall: dt.datetime | None) -> None:
    """Keep a time of the company's clock with the command; None takes it away again.

    It becomes part of the action, and so of its hash. Raises ScheduleError for one that is over,
    that the clock skips or repeats, or that is later than the policy lets the action be done.
    """
    services.hold(run)
    kept = {name: value for name, value in run.command.items() if name != schedule.FIELD}
    kind = TASK_RUN if "task" in run.command else ISSUE_CREATED
    run.command = kept if wall is None else kept | {schedule.FIELD: _future(wall, kind)}
    services.draft_of(principal=principal, run=run)
    run.save(update_fields=["command"])


def _future(wall: dt.datetime, kind: str) -> str:
    policy, now = rules.in_force(), clock.now()
    zone = schedule.zone_of(policy.document.calendario)
    until = drafts.latest_start(policy, kind, now=now)
    moment = schedule.typed(wall, zone)
    return schedule.written(schedule.within(moment, now=now, until=until, zone=zone))
