"""Starting a task: what is read of the body, what is refused, what is stored all the same."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from opspilot.sandbox.semaphore.messages import Answer, RefusedError, Request, refused
from opspilot.sandbox.semaphore.model import Record, Settings, Task
from opspilot.sandbox.semaphore.orders import given_params
from opspilot.sandbox.semaphore.store import Store

_LONGEST_MESSAGE = 250
_LONGEST_LIMIT = 255
_LARGEST_ID = 2**31 - 1
# Every other field of a body is ignored without a word; so is the limit that is misspelt.
_FIELDS: dict[str, type] = {
    "template_id": int,
    "playbook": str,
    "environment": str,
    "secret": str,
    "limit": str,
    "arguments": str,
    "git_branch": str,
    "commit_hash": str,
    "inventory_id": int,
    "message": str,
    "params": dict,
    "dry_run": bool,
    "diff": bool,
}


@dataclass(frozen=True)
class Ride:
    """What was ordered beforehand for the next task."""

    list_delay: float = 0.0
    edited: bool = False
    twin: bool = False
    play: str = ""
    play_seconds: float = 0.0


def body_object(request: Request) -> Record:
    try:
        value = json.loads(request.body)
    except (ValueError, RecursionError):
        raise refused(400, "Invalid JSON") from None
    if not isinstance(value, dict):
        raise refused(400, "Invalid JSON")
    return value


def create_task(store: Store, project_id: int, body: Record, ride: Ride) -> Task:
    """Stored and not yet queued. A broken environment is stored as a task in `error`, and refused."""
    settings = store.settings()
    fields = _read(body)
    template = _template(store, settings, project_id, fields)
    if settings.role not in {"owner", "manager", "task_runner"}:
        raise refused(403, "You have no permission to run tasks in this project")
    _check_lengths(settings, fields)
    task = _task(store, settings, project_id, fields, ride)
    broken = not _is_object(task.environment)
    if broken:
        task.status, task.end = "error", task.created
    with store.transaction():
        store.add_task(task)
        _mishaps(store, task, ride)
        if settings.max_tasks_per_template:
            store.keep_newest(template["id"], settings.max_tasks_per_template)
    if broken:
        raise RefusedError(Answer(500, stored_id=task.id))
    return task


def _mishaps(store: Store, task: Task, ride: Ride) -> None:
    """Nobody does this to a task of theirs; somebody will."""
    if ride.twin:
        store.add_task(replace(task, id=0, status="success", end=task.created))
    if ride.edited:
        store.save_task(replace(task, message="editada por uma pessoa"))


def _read(body: Record) -> Record:
    """Typed as the remote's language reads it: a wrong type is refused, null is nothing."""
    found: Record = {}
    for name, kind in _FIELDS.items():
        value = body.get(name)
        if value is None:
            continue
        if not _is_a(value, kind):
            raise refused(400, f"json: cannot unmarshal into field Task.{name}")
        found[name] = value
    return found


def _is_a(value: Any, kind: type) -> bool:
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST_ID
    if kind is str:
        return isinstance(value, str) and "\0" not in value and not _lone_surrogate(value)
    return isinstance(value, kind)


def _lone_surrogate(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def _template(store: Store, settings: Settings, project_id: int, fields: Record) -> Record:
    found = store.get("template", project_id, fields.get("template_id", 0))
    if found is None:
        raise refused(404 if settings.modern else 500)
    return found


def _check_lengths(settings: Settings, fields: Record) -> None:
    """The database refuses what is too long for a column, and the remote answers 500."""
    if len(fields.get("message", "")) > _LONGEST_MESSAGE:
        raise refused(500)
    if not settings.modern and len(fields.get("limit", "")) > _LONGEST_LIMIT:
        raise refused(500)
    limit = fields.get("params", {}).get("limit")
    if settings.modern and limit is not None and not _is_list_of_text(limit):
        raise refused(400, "json: cannot unmarshal into field AnsibleTaskParams.limit")


def _task(store: Store, settings: Settings, project_id: int, fields: Record, ride: Ride) -> Task:
    task = Task(
        project_id=project_id,
        user_id=settings.user_id,
        created=store.clock.stamp(),
        listed_from=store.clock.stamp(later=ride.list_delay),
        play=ride.play,
        play_seconds=ride.play_seconds,
        **fields,
    )
    task.params = given_params(settings, task)
    return task


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text or "{}"), dict)
    except (ValueError, RecursionError):
        return False


def _is_list_of_text(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
