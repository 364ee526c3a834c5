"""Steps of a live run: one task of a real template on one host, started once and believed by its
recap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from opspilot.connectors.tasks import ENDED, HostResult, recap
from opspilot.smoke import live_stage
from opspilot.smoke.cast import Request
from opspilot.smoke.deciding import approve
from opspilot.smoke.executing import done
from opspilot.smoke.expectation import UnmetError, expect
from opspilot.smoke.live_stage import Stage, resuming_sends_nothing, second_approval_refused
from opspilot.smoke.report import Outcome

WHY = "Conferência ao vivo do caminho inteiro até o Semaphore."
LONGEST = 900.0  # seconds a task of a live run may take


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the person who starts the run asks for, and nothing beside it."""

    project: int
    template: int
    host: str
    variables: Mapping[str, str]


@dataclass(kw_only=True)
class LiveTask(Stage):
    wanted: Wanted
    task: dict[str, Any] = field(default_factory=dict)
    hosts: dict[str, HostResult] = field(default_factory=dict)


def doctor_well(live: LiveTask) -> None:
    wanted = live.wanted
    told = f"project_id={wanted.project:d}, template_id={wanted.template:d}"
    values = f"host={wanted.host!r}, variables={dict(wanted.variables)!r}"
    policy = f"from opspilot.smoke import live_policy; live_policy.put_task({told}, {values})"
    live_stage.examine(live, "semaphore", policy=policy)


def nothing_written_before_approval(live: LiveTask) -> None:
    person, wanted = live.cast.operador, live.wanted
    page = person.open(f"/rodadas/tarefa/?template_id={wanted.template:d}")
    asked = {"template_id": str(wanted.template), "limit": wanted.host, "justificativa": WHY}
    form = page.form("/rodadas/tarefa/")
    run = person.post(form.action, form.filled({**wanted.variables, **asked}))
    expect(run.status == 200 and "/rodadas/" in run.url, f"the command is refused ({run.code})")
    read = person.settled(run)  # by the worker: the template as it is at the remote
    review = person.open(read.link("/rodadas/", "/confirmar/"))
    live_stage.wait_unsent(live, live_stage.confirm(live, review))


def started_and_read_back(live: LiveTask) -> None:
    """One task of ours at the remote, its echo the approved one; success is what the recap says."""
    request, wanted = live.cast.request("proposal"), live.wanted
    expect(request.marker != "", "an earlier step did not read the proposal")
    approve(live.cast.aprovador, request)
    page = live.cast.aprovador.open(request.url)
    page = live.cast.aprovador.settled(page, patience=LONGEST)
    _find(live, request)
    task = live.task
    expect(task["template_id"] == wanted.template, "the task is another template's")
    expect(not task.get("playbook"), "the task runs another playbook")
    expect(_limit(task) == [wanted.host], f"the limit at the remote is {_limit(task)}")
    expect(task["status"] == "success", f"the task's state is {task['status']}")
    expect(list(live.hosts) == [wanted.host], f"the recap names {', '.join(live.hosts) or 'none'}")
    done(live.cast, page, request, action="tarefa.executada")


def _find(live: LiveTask, request: Request) -> None:
    wanted = live.wanted
    found = live.witness.tasks_with(
        project=wanted.project, template=wanted.template, marker=request.marker
    )
    expect(len(found) == 1, f"the remote holds {len(found)} tasks of this proposal")
    number = int(found[0]["id"])
    live.task = live.witness.task(project=wanted.project, number=number)
    live.hosts = recap(live.witness.output(project=wanted.project, number=number))


def exactly_one_start(live: LiveTask) -> None:
    """Of the whole run: one request that writes, and one task at the remote, also at the end."""
    tasks = f"/api/project/{live.wanted.project}/tasks"
    writes = live_stage.sent(live)
    expect(writes == [("POST", tasks)], f"{len(writes)} requests that write left")
    _find(live, live.cast.request("proposal"))


STEPS: tuple[Callable[[LiveTask], None], ...] = (
    doctor_well,
    nothing_written_before_approval,
    started_and_read_back,
    second_approval_refused,
    resuming_sends_nothing,
    exactly_one_start,
)


def outcomes(live: LiveTask) -> Iterator[Outcome]:
    """Ends at the first fault, and stops nothing at the remote: the record says what runs on."""
    yield from live_stage.until_a_fault(live, STEPS)
    if not live.task:
        _look_once_more(live)


def _look_once_more(live: LiveTask) -> None:
    """For the record: a task may be there though its step came to no end."""
    try:
        _find(live, live.cast.request("proposal"))
    except (UnmetError, httpx.HTTPError):
        return


def record(live: LiveTask, found: list[Outcome]) -> dict[str, Any]:
    wanted = live.wanted
    return {
        **live_stage.told(live, found, steps=len(STEPS)),
        "project": wanted.project,
        "template": wanted.template,
        "host": wanted.host,
        "task": {name: live.task.get(name) for name in ("id", "status")},
        "recap": {host: (row.ok, row.changed, row.failed) for host, row in live.hosts.items()},
        "left_running": bool(live.task) and live.task.get("status") not in ENDED,
    }


def _limit(task: Mapping[str, Any]) -> list[str]:
    """As the remote's newer and older releases say it."""
    listed = (task.get("params") or {}).get("limit")
    return list(listed) if listed is not None else [str(task.get("limit"))]
