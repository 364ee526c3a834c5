"""The control door, `/_sandbox/`: what only a test or the smoke run may ask."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from typing import Any

from opspilot.sandbox.gitlab import seed
from opspilot.sandbox.gitlab.faults import FaultQueue, read_faults
from opspilot.sandbox.gitlab.messages import (
    Answer,
    RefusedError,
    Request,
    bad_parameter,
    json_answer,
    refused,
)
from opspilot.sandbox.gitlab.model import Issue, Project, Settings, User
from opspilot.sandbox.gitlab.request_log import RequestLog
from opspilot.sandbox.gitlab.store import Store

PREFIX = "/_sandbox"
_RIGHTS = ("create_labels", "set_confidential", "set_metadata")
_TOKEN = {"scopes": "token_scopes", "revoked": "token_revoked", "expires_at": "token_expires_at"}
_TIERS = ("free", "premium")


class Control:
    def __init__(
        self, store: Store, log: RequestLog, queue: FaultQueue, first: dict[str, Any]
    ) -> None:
        self.store, self.log, self.queue = store, log, queue
        self._seed = first
        self._doors: dict[tuple[str, str], Callable[[Request], Answer]] = {
            ("GET", "/log"): lambda _: json_answer(200, self.log.entries()),
            ("GET", "/issues"): lambda _: json_answer(200, self._issues()),
            ("GET", "/faults"): lambda _: json_answer(200, self.queue.waiting()),
            ("POST", "/faults"): self._order_faults,
            ("DELETE", "/faults"): self._drop_faults,
            ("GET", "/config"): lambda _: json_answer(200, asdict(self.store.settings())),
            ("POST", "/config"): self._configure,
            ("POST", "/reset"): self._reset,
        }

    def answer(self, request: Request) -> Answer:
        # A browser page elsewhere could post here without being able to read; it shows an Origin.
        if "origin" in request.headers:
            raise refused(403, "403 Forbidden")
        door = self._doors.get((request.method, request.path.removeprefix(PREFIX)))
        if door is None:
            raise refused(404, "404 Not Found")
        return door(request)

    def _order_faults(self, request: Request) -> Answer:
        self.queue.add(read_faults(_json(request)))
        return json_answer(200, self.queue.waiting())

    def _drop_faults(self, _request: Request) -> Answer:
        self.queue.clear()
        return json_answer(200, [])

    def _reset(self, _request: Request) -> Answer:
        with self.store.transaction():
            seed.sow(self.store, self._seed)
        self.queue.clear()
        self.log.clear()
        return json_answer(200, {"reset": True})

    def _issues(self) -> list[dict[str, Any]]:
        return [self._raw(issue) for issue in self.store.every_issue()]

    def _raw(self, issue: Issue) -> dict[str, Any]:
        traces = self.store.traces(issue)
        return asdict(issue) | {
            name: [trace.value for trace in traces if trace.kind == kind]
            for name, kind in (
                ("quick_actions", "quick_action"),
                ("notifications", "notification"),
                ("images_fetched_by_readers", "image"),
            )
        }

    def _configure(self, request: Request) -> Answer:
        wanted = _json(request)
        if not isinstance(wanted, dict):
            raise bad_parameter("a JSON object is wanted")
        with self.store.transaction():
            settings = replace(self.store.settings(), **_settings_changes(wanted))
            self.store.put_settings(settings)
            for project_id, changes in wanted.get("projects", {}).items():
                self._change_project(int(project_id), changes)
            for user_id, changes in wanted.get("users", {}).items():
                self._change_user(int(user_id), changes)
        return json_answer(200, asdict(settings))

    def _change_project(self, project_id: int, changes: dict[str, Any]) -> None:
        """A new `path` is a move: the old one answers 301 and 405 from now on."""
        project = self.store.project(project_id)
        if project is None:
            raise bad_parameter("no such project")
        changed = replace(project, **_known(changes, Project))
        self.store.put_project(changed)
        if changed.path != project.path:
            self.store.put_moved_path(project.path, project_id)

    def _change_user(self, user_id: int, changes: dict[str, Any]) -> None:
        user = self.store.user(user_id)
        if user is None:
            raise bad_parameter("no such user")
        self.store.put_user(replace(user, **_known(changes, User)))


def _settings_changes(wanted: dict[str, Any]) -> dict[str, Any]:
    known = {"tier", "rights", "search_delay", "token", "projects", "users"}
    if not set(wanted) <= known:
        raise bad_parameter(f"config takes: {', '.join(sorted(known))}")
    changes = {name: wanted[name] for name in ("tier", "search_delay") if name in wanted}
    if changes.get("tier", "free") not in _TIERS:
        raise bad_parameter("tier is free or premium")
    if not isinstance(changes.get("search_delay"), int | float | None):
        raise bad_parameter("search_delay is a number of seconds, or null for ever")
    rights = wanted.get("rights", {})
    if not set(rights) <= set(_RIGHTS):
        raise bad_parameter(f"rights takes: {', '.join(_RIGHTS)}")
    token = {_TOKEN[name]: value for name, value in wanted.get("token", {}).items()}
    return _known(changes | rights | token, Settings)


def _known(changes: dict[str, Any], record: type[Project | User | Settings]) -> dict[str, Any]:
    names = {field.name for field in fields(record)} - {"id"}
    if not set(changes) <= names:
        raise bad_parameter(f"{record.__name__.lower()} takes: {', '.join(sorted(names))}")
    return changes


def _json(request: Request) -> Any:
    try:
        return json.loads(request.body)
    except ValueError:
        raise RefusedError(json_answer(400, {"error": "the body is not JSON"})) from None
