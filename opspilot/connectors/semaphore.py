"""Semaphore: read templates, inventories and tasks; start a task once, find it by its message."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Mapping
from typing import Any

from opspilot.connectors import semaphore_answers as answers
from opspilot.connectors import semaphore_body, semaphore_inventory
from opspilot.connectors.errors import ConnectorError, NotSentError, OutcomeUnknownError
from opspilot.connectors.http import Answer, BoundedClient
from opspilot.connectors.semaphore_answers import RAW_OUTPUT, Version
from opspilot.connectors.semaphore_doctor import User
from opspilot.connectors.tasks import Found, RemoteTask, RemoteTemplate, plain

MAX_OUTPUT = 1024 * 1024  # bytes of an output we hand on
MAX_LISTED = 200  # the most the remote lists at a time
VERSION_LASTS = 300.0  # seconds: an upgrade changes the rules of the limit
_READERS = {
    "static": semaphore_inventory.from_ini,
    "static-yaml": semaphore_inventory.from_yaml,
}


class SemaphoreTasks:
    """A TaskReader: it has no way to send anything."""

    def __init__(self, client: BoundedClient, *, base_url: str) -> None:
        self._client, self._base_url = client, base_url
        self._version: tuple[Version, float] | None = None
        self._user: User | None = None

    def version(self) -> Version:
        """Remembered for a while, and asked anew after any failure."""
        known = self._version
        if known is None or time.monotonic() > known[1] + VERSION_LASTS:
            known = (answers.version(self._json("/api/info")), time.monotonic())
            self._version = known
        return known[0]

    def user(self) -> User:
        if self._user is None:
            row = self._json("/api/user")
            admin = row.get("admin") is True if isinstance(row, dict) else False
            name = str(answers.field(row, "username"))
            self._user = User(answers.number(row, "id"), name, admin)
        return self._user

    def role(self, project_id: int) -> str:
        return str(answers.field(self._json(f"/api/project/{project_id:d}/role"), "role"))

    def template(self, project_id: int, template_id: int) -> RemoteTemplate:
        row = self._json(f"/api/project/{project_id:d}/templates/{template_id:d}")
        found = answers.template(row, of=self.version())
        if (found.project_id, found.id) != (project_id, template_id):
            raise OutcomeUnknownError("the answer speaks of another template")
        return found

    def hosts(self, project_id: int, inventory_id: int) -> frozenset[str] | None:
        row = self._json(f"/api/project/{project_id:d}/inventory/{inventory_id:d}")
        reader = _READERS.get(str(answers.field(row, "type")))
        if reader is None:
            return None
        try:
            return reader(str(answers.field(row, "inventory") or ""))
        except ValueError:  # UnreadableInventoryError, and whatever else a text is refused with
            return None

    def task(self, project_id: int, task_id: int) -> RemoteTask:
        """An unknown task and a fault of the remote's database look alike: OutcomeUnknownError."""
        path = f"/api/project/{project_id:d}/tasks/{task_id:d}"
        answer = self._exchange("GET", path)
        if answer.status == 400:
            raise OutcomeUnknownError("the remote does not know this task, or cannot say")
        found = self._task(self._body(answer))
        if (found.project_id, found.id) != (project_id, task_id):
            raise OutcomeUnknownError("the answer speaks of another task")
        return found

    def output(self, project_id: int, task_id: int) -> str:
        path = f"/api/project/{project_id:d}/tasks/{task_id:d}"
        if self.version() < RAW_OUTPUT:
            lines = answers.rows(self._json(f"{path}/output"))
            return _bounded(plain("".join(f"{row.get('output') or ''}\n" for row in lines)))
        answer = self._exchange("GET", f"{path}/raw_output")
        if answer.status != 200:
            raise answers.failure(answer)
        return _bounded(plain(answer.content.decode(errors="replace")))

    def find(
        self, project_id: int, template_id: int, marker: str, *, since: dt.datetime
    ) -> Found[RemoteTask]:
        """A list that ends after `since` has lost its older rows, or is too long for one reading:
        then an empty result says nothing.
        """
        path = f"/api/project/{project_id:d}/templates/{template_id:d}/tasks/last"
        rows = answers.rows(self._json(path, {"limit": MAX_LISTED}))
        user_id = self.user().id
        # Only what carries the marker is read whole: another task's oddities are not ours.
        marked = [self._task(row) for row in rows if row.get("message") == marker]
        ours = (project_id, template_id, user_id)
        found = [t for t in marked if (t.project_id, t.template_id, t.user_id) == ours]
        return Found(
            tasks=tuple(sorted(found, key=lambda task: task.id)),
            reaches_back=not rows or _oldest(rows) < since,
        )

    def _task(self, row: Any) -> RemoteTask:
        return answers.task(row, of=self.version(), base_url=self._base_url)

    def _json(self, path: str, query: Mapping[str, Any] | None = None) -> Any:
        return self._body(self._exchange("GET", path, params=dict(query or {})))

    def _body(self, answer: Answer, status: int = 200) -> Any:
        if answer.status != status:
            raise answers.failure(answer)
        return answer.json()

    def _exchange(self, method: str, path: str, **arguments: Any) -> Answer:
        try:
            answer = self._client.request(method, path, **arguments)
        except ConnectorError:
            self._version = None
            raise
        if answer.status >= 400:
            self._version = None
        return answer


class Semaphore(SemaphoreTasks):
    """A TaskRunner. The caller decides what a failure means; nothing here retries."""

    def start(self, project_id: int, body: Mapping[str, Any]) -> RemoteTask:
        semaphore_body.check(body)
        try:
            of = self.version()
        except OutcomeUnknownError as exc:
            raise NotSentError("the remote's version could not be read") from exc
        answer = self._exchange("POST", f"/api/project/{project_id:d}/tasks", json=dict(body))
        row = self._body(answer, status=201)
        task = answers.task(row, of=of, base_url=self._base_url)
        if (task.project_id, task.message) != (project_id, body["message"]):
            raise OutcomeUnknownError("the answer speaks of another task")
        return task

    def stop(self, project_id: int, task_id: int, *, force: bool) -> None:
        path = f"/api/project/{project_id:d}/tasks/{task_id:d}/stop"
        answer = self._exchange("POST", path, json={"force": force})
        if answer.status != 204:
            raise answers.failure(answer)


def _oldest(rows: list[dict[str, Any]]) -> dt.datetime:
    """One that tells no time might be of any time: then the list reaches nowhere."""
    latest = dt.datetime.max.replace(tzinfo=dt.UTC)
    moments = [answers.moment(row.get("created")) for row in rows]
    return latest if None in moments else min(each for each in moments if each)


def _bounded(text: str) -> str:
    """The beginning and, with the recap, the end; whole lines, and a last one that says so."""
    data = text.encode()
    if len(data) <= MAX_OUTPUT:
        return text
    head, tail = data[: MAX_OUTPUT // 8], data[-(MAX_OUTPUT - MAX_OUTPUT // 8 - 200) :]
    first = head.decode(errors="ignore").rpartition("\n")[0]
    last = tail.decode(errors="ignore").partition("\n")[2]
    said = f"[opspilot: the output has {len(data)} bytes; its middle is not kept]"
    return f"{first}\n{said}\n{last.rstrip()}\n{said}\n"
