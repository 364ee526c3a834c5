"""A Semaphore that answers by script and remembers what it was asked; no process, no network."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from opspilot.connectors.tasks import Found, RemoteTask, RemoteTemplate, SurveyField

FINGERPRINT = "a" * 64
SURVEY = (
    SurveyField("server_name", "", True, (), ""),
    SurveyField("server_action", "enum", True, ("status", "restart"), "restart"),
)
SURVEYS = {21: SURVEY, 22: (SurveyField("deploy_service", "", True, (), ""),)}
HOSTS = frozenset({
    "srv-pag-02", "srv-pag-03", "srv-med-01", "srv-med-02", "srv-bus-01", "srv-api-04",
    "srv-api-05",
})  # fmt: skip


def recap_of(*hosts: str, failed: int = 0, unreachable: int = 0) -> str:
    rows = [
        f"{host} : ok=3 changed=1 unreachable={unreachable} failed={failed} skipped=0"
        for host in hosts
    ]
    return "\n".join(["TASK [reiniciar] ***", "ok", "PLAY RECAP *****", *rows, ""])


class FakeRunner:
    """A TaskRunner. `echo` changes what a new task says of itself; `task_` is that task as it is.

    `failing` names what raises and what: {"start": OutcomeUnknownError("lost")}.
    """

    def __init__(self, **changes: Any) -> None:
        self.asked: list[str] = []
        self.bodies: list[Mapping[str, Any]] = []
        self.stopped: list[tuple[int, bool]] = []
        self.echo: dict[str, Any] = {}
        self.failing: dict[str, Exception] = {}
        self.template_changes: dict[str, Any] = {}
        self.inventory: frozenset[str] | None = HOSTS
        self.printed = ""
        self.reaches_back = True
        self.tasks: list[RemoteTask] = []
        for name, value in changes.items():
            setattr(self, name, value)

    def _note(self, what: str) -> None:
        self.asked.append(what)
        if what in self.failing:
            raise self.failing[what]

    def template(self, project_id: int, template_id: int) -> RemoteTemplate:
        self._note("template")
        survey = SURVEYS.get(template_id, ())
        found = RemoteTemplate(
            template_id, project_id, "Ação em um serviço", "ansible", "acao-em-servico.yml", 1,
            survey, FINGERPRINT, (),
        )  # fmt: skip
        return replace(found, **self.template_changes)

    def hosts(self, project_id: int, inventory_id: int) -> frozenset[str] | None:
        self._note("hosts")
        return self.inventory

    def task(self, project_id: int, task_id: int) -> RemoteTask:
        self._note("task")
        return next(task for task in self.tasks if task.id == task_id)

    def output(self, project_id: int, task_id: int) -> str:
        self._note("output")
        return self.printed

    def find(
        self, project_id: int, template_id: int, marker: str, *, since: dt.datetime
    ) -> Found[RemoteTask]:
        self._note("find")
        found = tuple(task for task in self.tasks if task.message == marker)
        return Found(found, self.reaches_back)

    def start(self, project_id: int, body: Mapping[str, Any]) -> RemoteTask:
        self.bodies.append(body)
        self._note("start")
        made = RemoteTask(
            id=900 + len(self.tasks),
            project_id=project_id,
            template_id=body["template_id"],
            status="waiting",
            message=body["message"],
            limit=tuple(body["params"]["limit"]),
            playbook="",
            user_id=7,
            url=f"http://semaphore.example/{900 + len(self.tasks)}",
            created_at=None,
        )
        self.tasks.append(replace(made, **self.echo))
        return self.tasks[-1]

    def stop(self, project_id: int, task_id: int, *, force: bool) -> None:
        self._note("stop")
        self.stopped.append((task_id, force))

    def ends(self, status: str, printed: str) -> None:
        """The newest task comes to its end."""
        self.tasks[-1] = replace(self.tasks[-1], status=status)
        self.printed = printed
