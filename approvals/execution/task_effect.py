"""A task in Semaphore: started once, followed to its end, believed only by its recap.

The remote says "success" for a task that touched no host, and repeats a limit that it ignores: what
ran is what the recap names, and that must be the approved hosts and no other.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from approvals import drafts
from approvals.execution.seen import Found, Printed, Progress, Seen
from approvals.models import AgenteAprovacao
from approvals.rules import Version
from approvals.tasks import hosts, task_survey, task_values
from opspilot.connectors import semaphore_body
from opspilot.connectors.errors import ConnectorError, OutcomeUnknownError
from opspilot.connectors.tasks import HostResult, RemoteTask, TaskRunner, recap
from opspilot.tenancy import clock

SOONEST, LATEST = 2.0, 15.0  # seconds between two looks
FLUSH = dt.timedelta(seconds=10)  # the last lines may come after the end
OUTSIDE = "host_fora_do_aprovado"


class TaskEffect:
    """An Effect. A second request is a second task: nothing is ever sent again by itself."""

    connector = "semaphore"
    may_resend = False

    def __init__(self, runner: TaskRunner) -> None:
        self._runner = runner

    @property
    def timeout(self) -> float:
        return float(settings.OPSPILOT_SEMAPHORE_TIMEOUT)

    def faults(self, proposal: AgenteAprovacao, *, version: Version | None = None) -> str:
        """The target and the variables once more, whatever the policy says of them by now (I14)."""
        action = proposal.proposta
        if not action["hosts"] or not all(hosts.is_host(host) for host in action["hosts"]):
            return "destino_nao_e_um_host"
        for name, value in action["variables"].items():
            if task_values.is_foreign(name) or not task_values.is_plain(value):
                return "variavel_nao_permitida"
        is_elsewhere = action["target"]["host"] != settings.OPSPILOT_SEMAPHORE_URL
        return "destino_mudou" if is_elsewhere else ""

    def preflight(self, proposal: AgenteAprovacao) -> str:
        """The template must still be the one that was read for the proposal, and keep to a limit."""
        target = proposal.proposta["target"]
        found = self._runner.template(target["project_id"], target["template_id"])
        if found.faults:
            return "template_sem_limite"
        if found.fingerprint != target["fingerprint"]:
            return "template_mudou"
        known = self._runner.hosts(target["project_id"], found.inventory_id)
        if known is not None and not known.issuperset(proposal.proposta["hosts"]):
            return "host_fora_do_inventario"
        survey = [task_survey.stored(field) for field in found.survey]
        odd = next(task_survey.faults(survey, proposal.proposta["variables"]), None)
        return "variavel_nao_permitida" if odd else ""

    def body(self, proposal: AgenteAprovacao, marker: str) -> dict[str, Any]:
        return drafts.body(proposal.proposta, marker)

    def check(self, body: dict[str, Any]) -> None:
        semaphore_body.check(body)

    def send(self, proposal: AgenteAprovacao, body: dict[str, Any]) -> Seen:
        """One request. A task that is not the approved one is stopped at once, which may be late."""
        task = self._runner.start(_project(proposal), body)
        seen = _compared(proposal, task, body)
        if seen.differs:
            seen.differs.extend(self._stopped(task))
        return seen

    def find(self, proposal: AgenteAprovacao, marker: str, *, since: dt.datetime) -> Found:
        """By the template's own list, our own tasks only; a list that does not reach back says
        nothing about what it does not show."""
        target = proposal.proposta["target"]
        found = self._runner.find(target["project_id"], target["template_id"], marker, since=since)
        body = self.body(proposal, marker)
        seen = tuple(_compared(proposal, task, body) for task in found.tasks)
        return Found(seen, complete=found.reaches_back)

    def get(self, proposal: AgenteAprovacao, remote: dict[str, Any]) -> Seen:
        """Whether this very task is ours: started with our marker, as approved."""
        number = int(remote.get("id") or remote["iid"])
        task = self._runner.task(_project(proposal), number)
        return _compared(proposal, task, self.body(proposal, drafts.marker_for(proposal)))

    def follow(
        self, proposal: AgenteAprovacao, remote: dict[str, Any], *, since: dt.datetime
    ) -> Progress:
        now = clock.now()
        late = now - since > dt.timedelta(minutes=proposal.proposta["deadline_minutes"])
        try:
            task = self._runner.task(_project(proposal), int(remote["id"]))
            output = self._runner.output(task.project_id, task.id)
            results = recap(output)
        except (ConnectorError, ValueError) as exc:
            if late:
                return _lost(proposal, remote)
            raise _unusable(exc) from exc
        remote = remote | {"status": task.status, "url": task.url}
        over = task.ended and _is_told(proposal, results, remote, now)
        said = Printed(task.status, output, results, ended=over)
        if over:
            return replace(_ended(proposal, task, results, remote), printed=said)
        if late and not task.ended:
            return replace(_lost(proposal, remote), printed=said)
        wait = SOONEST if task.ended else _wait(now - since)
        return Progress(True, wait, [], "", False, _summary(proposal, task.id), remote, said)

    def _stopped(self, task: RemoteTask) -> Iterator[str]:
        try:
            self._runner.stop(task.project_id, task.id, force=True)
        except ConnectorError:
            yield "parada_nao_confirmada"


def _unusable(exc: ConnectorError | ValueError) -> ConnectorError:
    if isinstance(exc, ConnectorError):
        return exc
    return OutcomeUnknownError("the task's answer cannot be read")


def _compared(proposal: AgenteAprovacao, task: RemoteTask, body: Mapping[str, Any]) -> Seen:
    """The echo against what was sent. It proves little; what differs in it proves enough."""
    checks: dict[str, tuple[bool, Any]] = {
        "projeto": (task.project_id == _project(proposal), task.project_id),
        "template": (task.template_id == body["template_id"], task.template_id),
        "destino": (sorted(task.limit) == sorted(body["params"]["limit"]), list(task.limit)),
        "playbook": (task.playbook == "", task.playbook),
        "marcador": (task.message == body["message"], task.message),
    }
    received = {name: value for name, (same, value) in checks.items() if not same}
    remote = {
        "id": task.id,
        "project_id": task.project_id,
        "template_id": task.template_id,
        "url": task.url,
        "status": task.status,
    }
    summary = _summary(proposal, task.id)
    return Seen(remote, list(received), summary, received, running=not received)


def _is_told(
    proposal: AgenteAprovacao,
    results: Mapping[str, HostResult],
    remote: dict[str, Any],
    now: dt.datetime,
) -> bool:
    """Whether the recap is whole, or has had its time; notes in `remote` when the end was seen."""
    first = remote.setdefault("ended_at", now.isoformat())
    waited = now - dt.datetime.fromisoformat(first)
    return results.keys() >= set(proposal.proposta["hosts"]) or waited >= FLUSH


def _ended(
    proposal: AgenteAprovacao,
    task: RemoteTask,
    results: Mapping[str, HostResult],
    remote: dict[str, Any],
) -> Progress:
    differs = list(_differences(set(proposal.proposta["hosts"]), task.status, results))
    outside = sorted(results.keys() - set(proposal.proposta["hosts"]))
    words = _summary(proposal, task.id)
    if outside:
        said = ", ".join(outside[:5])
        words = _("%(task)s; fora do aprovado: %(hosts)s") % {"task": words, "hosts": said}
    return Progress(False, 0.0, differs, "", bool(outside), words, remote)


def _differences(
    approved: set[str], status: str, results: Mapping[str, HostResult]
) -> Iterator[str]:
    """Why it did not go as approved, worst first. "success" is believed of no host by itself."""
    if results.keys() - approved:
        yield OUTSIDE
    if status == "stopped":
        yield "tarefa_parada"
    elif not results:
        yield "nada_executado" if status == "success" else "falhou_sem_resumo"
    if results and approved - results.keys():
        yield "host_sem_resultado"
    if any(result.failed or result.unreachable for result in results.values()) or (
        status == "error" and results
    ):
        yield "falhou_em_hosts"


def _lost(proposal: AgenteAprovacao, remote: dict[str, Any]) -> Progress:
    """Past its deadline: it may run on, or have ended unseen. A person looks."""
    words = _summary(proposal, int(remote["id"]))
    return Progress(False, 0.0, [], "tarefa_sem_fim", False, words, remote)


def _wait(age: dt.timedelta) -> float:
    """Seconds to the next look: often at first, less often the longer it runs."""
    return min(LATEST, max(SOONEST, age.total_seconds() / 10))


def _summary(proposal: AgenteAprovacao, number: int) -> str:
    return _("tarefa %(id)s do template %(alias)s em %(hosts)s") % {
        "id": number,
        "alias": proposal.proposta["alias"],
        "hosts": ", ".join(proposal.proposta["hosts"]),
    }


def _project(proposal: AgenteAprovacao) -> int:
    return int(proposal.proposta["target"]["project_id"])
