"""The remotes that a crash run plays with, and the proposals it makes for them.

Everything is a real process but the people: the database is the test run's own, the remote a sandbox
with its log and its clock, the workers `one_worker`. Only what the sandbox says counts as evidence.
"""

from __future__ import annotations

import os
import uuid
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from django.test import override_settings

from approvals import drafts, proposals, rules
from approvals.models import AgenteAprovacao, Execution, TemplatePreflight
from approvals.tasks import preflight_lane, preflights, task_command
from opspilot.connectors.http import BoundedClient
from opspilot.connectors.semaphore import Semaphore
from opspilot.sandbox import process
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.crash.workers import Workers
from tests.db import deciding, noticing, tasking

TOKEN = "token-of-the-tests"  # as the settings of the tests have it
# Twenty seconds, a minute and three minutes of a console in use. The sandbox's clock runs ten times
# as fast: its list that is 30 s late is late by more than the first look and by less than the grace.
TIMEOUT, LEASE, GRACE, SCALE = 1.5, 3.5, 1.8, 10.0
PROJECT = factories.POLICY["projects"]["infra"]
PLACES = 64  # a worker that was killed keeps its place at the remote until its lease ends


@dataclass(frozen=True, slots=True)
class Work:
    """One approved effect and its people."""

    tenant: Tenant
    requester: Principal
    proposal: AgenteAprovacao
    execution: int
    marker: str
    address: str  # of the requester, for letters

    def row(self) -> Execution:
        with tenant_scope(self.tenant.pk):
            return Execution.objects.get(pk=self.execution)


class Stage(ABC):
    """A remote's sandbox and the workers that talk to it."""

    name: str
    creates: str  # the operation with an effect, as the sandbox's log calls it
    listings: tuple[str, ...]

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sandbox = self._sandbox()
        self.door = httpx.Client(
            base_url=f"{self.sandbox.base_url}/_sandbox", timeout=30.0, trust_env=False
        )
        self.door.post("/clock", json={"scale": SCALE}).raise_for_status()
        self._url = {f"OPSPILOT_{self.name.upper()}_URL": self.sandbox.base_url}
        # This side reads the remote's templates, for several proposals at a time.
        self._settings = override_settings(**self._url, OPSPILOT_CONNECTOR_SLOTS=PLACES)
        self._settings.enable()
        self.letters = folder / "letters"
        self.letters.mkdir()
        self.workers = Workers(self._environment())

    @property
    def log(self) -> str:
        return str(self.folder / "remote" / "requests.log")

    def close(self) -> None:
        self.workers.close()
        self._settings.disable()
        self.door.close()
        self.sandbox.stop()

    def order(self, work: Work, **wanted: Any) -> None:
        """For the next request with this effect."""
        wanted["body_contains"] = work.marker
        self.door.post("/outcomes", json=wanted).raise_for_status()

    def forget(self) -> None:
        """What was ordered and not met."""
        self.door.delete("/faults").raise_for_status()

    def requests(self) -> Counter[str]:
        """Whole requests for an effect that reached the remote, by marker."""
        rows = self.door.get("/log").raise_for_status().json()
        return Counter(row["marker"] for row in rows if row["operation"] == self.creates)

    @abstractmethod
    def effects(self) -> Counter[str]:
        """What the remote has stored, by marker."""

    @abstractmethod
    def work(self) -> Work:
        """Approved and due now, in a company of its own."""

    @abstractmethod
    def _sandbox(self) -> process.SandboxProcess: ...

    def letters_to(self, address: str) -> int:
        texts = [path.read_text(encoding="utf-8") for path in self.letters.iterdir()]
        return sum(f"To: {address}" in text for text in texts)

    def _environment(self) -> dict[str, str]:
        return os.environ | self._url | {
            "OPSPILOT_GITLAB_TIMEOUT": str(TIMEOUT),
            "OPSPILOT_SEMAPHORE_TIMEOUT": str(TIMEOUT),
            "OPSPILOT_LEASE_SECONDS": str(LEASE),
            "OPSPILOT_GRACE_SECONDS": str(GRACE),
            "OPSPILOT_CONNECTOR_SLOTS": str(PLACES),
            "EMAIL_URL": self.letters.as_uri(),
        }  # fmt: skip


class GitLabStage(Stage):
    name, creates = "gitlab", "createIssue"
    listings = ("at_once", "late", "search_blind")

    def _sandbox(self) -> process.SandboxProcess:
        return process.start_gitlab(data=self.folder / "remote", token=TOKEN)

    def move(self, path: str) -> None:
        """The project that `work` is for, to another address."""
        projects = {str(PROJECT["project_id"]): {"path": path}}
        self.door.post("/config", json={"projects": projects}).raise_for_status()

    def move_back(self) -> None:
        self.move(PROJECT["path"])

    def effects(self) -> Counter[str]:
        issues = self.door.get("/issues").raise_for_status().json()
        lines = [issue["description"].rstrip().rpartition("\n")[2] for issue in issues]
        return Counter(line for line in lines if line.startswith("opk"))

    def work(self) -> Work:
        tenant = factories.a_tenant()
        user = noticing.a_reachable(tenant, Role.OPERADOR)
        requester = noticing.principal(tenant, user)
        asked = factories.a_proposal(tenant, by=requester)
        return _approved(tenant, requester, asked, user.email)


class SemaphoreStage(Stage):
    name, creates = "semaphore", "startTask"
    listings = ("at_once", "late", "blind")

    def _sandbox(self) -> process.SandboxProcess:
        # Without Ansible: what a task does on its hosts is another test's question.
        return process.start_semaphore(data=self.folder / "remote", token=TOKEN, player="played")

    def effects(self) -> Counter[str]:
        tasks = self.door.get("/tasks").raise_for_status().json()
        return Counter(task["message"] for task in tasks if task["message"].startswith("opk"))

    def work(self) -> Work:
        tenant = factories.a_tenant()
        tasking.a_policy(tenant, hold_seconds={"baixo": 0, "medio": 0, "alto": 0})
        user = noticing.a_reachable(tenant, Role.OPERADOR)
        requester = noticing.principal(tenant, user)
        return _approved(tenant, requester, self._task(requester), user.email)

    def _task(self, by: Principal) -> AgenteAprovacao:
        """As `tasking.a_task`, with the sandbox's own template read beforehand."""
        command = task_command.read(tasking.COMMAND)
        with tenant_scope(by.tenant_id):
            rule = rules.in_force().document.tarefa_executada
            assert rule is not None
            template = rule.templates[command.template].template_id
            preflights.want(project=4, template=template)
            row = TemplatePreflight.objects.get(template=template)
        url = self.sandbox.base_url
        client = BoundedClient(base_url=url, token=TOKEN, timeout=20.0)
        preflight_lane.refresh(
            tenant_id=by.tenant_id, preflight_id=row.pk, reader=Semaphore(client, base_url=url)
        )
        with tenant_scope(by.tenant_id):
            draft = drafts.prepare(
                principal=by, run_id=uuid.uuid4(), command=command, coverage=None
            )
            return proposals.create(
                principal=by,
                draft=draft,
                seen_hash=draft.hash,
                justification="A fila parou.",
                entity=None,
                evidence=[],
            )


def _approved(tenant: Tenant, requester: Principal, asked: AgenteAprovacao, address: str) -> Work:
    proposal = factories.approve(asked, deciding.approver(tenant))
    with tenant_scope(tenant.pk):
        execution = Execution.objects.get(approval=proposal)
    return Work(tenant, requester, proposal, execution.pk, execution.marker, address)
