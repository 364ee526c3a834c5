"""What a task comes to: the command line, by the rules of the version in force."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from opspilot.sandbox.semaphore.model import Record, Settings, Task
from opspilot.sandbox.semaphore.store import Store

ANSIBLE = "ansible"


@dataclass(frozen=True)
class Order:
    """One run. `limit` None: no `--limit` at all, which means every host of the inventory."""

    task_id: int
    app: str
    playbook: str
    inventory_type: str
    inventory: str
    limit: str | None
    extra: Record
    arguments: tuple[str, ...] = ()
    check: bool = False
    diff: bool = False
    verbose: bool = False

    def command(self, program: str, inventory_file: str) -> list[str]:
        """Further arguments come after the limit, and the last `--limit` wins."""
        line = [program, "-i", inventory_file, "--extra-vars", json.dumps(self.extra)]
        line += [] if self.limit is None else [f"--limit={self.limit}"]
        flags = {"--check": self.check, "--diff": self.diff, "-vvvv": self.verbose}
        line += [flag for flag, is_set in flags.items() if is_set]
        return [*line, *self.arguments, self.playbook]

    @property
    def last_limit(self) -> str | None:
        """What counts when an argument brings another limit."""
        limit = self.limit
        words = iter(self.arguments)
        for word in words:
            if word.startswith("--limit="):
                limit = word.removeprefix("--limit=")
            elif word in {"--limit", "-l"}:
                limit = next(words, limit)
        return limit


def order_of(store: Store, task: Task, template: Record) -> Order:
    settings = store.settings()
    inventory = _inventory(store, settings, task, template)
    order = Order(
        task_id=task.id,
        app=template["app"],
        playbook=task.playbook or template["playbook"],  # not gated in any version
        inventory_type=inventory.get("type", ""),
        inventory=inventory.get("inventory", ""),
        limit=limit_of(settings, task, template),
        extra=_extra(settings, task, template),
        arguments=(*_words(template["arguments"]), *_task_words(task, template)),
    )
    return _with_flags(settings, order, task, template)


def limit_of(settings: Settings, task: Task, template: Record) -> str | None:
    """None: the whole inventory."""
    if not settings.modern:
        return task.limit or None
    own = template["task_params"] or {}
    asked = (task.params or {}).get("limit")
    hosts = asked if own.get("allow_override_limit") and asked is not None else own.get("limit")
    return ",".join(hosts) if hosts else None


def given_params(settings: Settings, task: Task) -> Record | None:
    """On insert the old field fills `params.limit`, unless `params` has that key, even as null."""
    if not settings.modern:
        return None
    params = dict(task.params or {})
    if task.limit and "limit" not in params:
        params["limit"] = task.limit.split(",")
    return params


def _inventory(store: Store, settings: Settings, task: Task, template: Record) -> Record:
    """An inventory that does not exist falls back to the template's, without a word."""
    own = (template["task_params"] or {}).get("allow_override_inventory", False)
    wanted = task.inventory_id if own or not settings.modern else None
    found = store.get("inventory", task.project_id, wanted) if wanted else None
    own_id = template["inventory_id"] or 0
    return found or store.get("inventory", task.project_id, own_id) or {}


def _extra(settings: Settings, task: Task, template: Record) -> Record:
    """Nothing is checked against the survey. Which side wins changed between versions."""
    ours, theirs = _object(template.get("_environment", "")), _object(task.environment)
    merged = ours | theirs if settings.modern else theirs | ours
    details = {"username": settings.username, "message": task.message, "id": task.id}
    return merged | _object(task.secret) | {"semaphore_vars": {"task_details": details}}


def _with_flags(settings: Settings, order: Order, task: Task, template: Record) -> Order:
    """A flag in the other version's place is ignored, and the run is real."""
    if not settings.modern:
        return replace(order, check=task.dry_run, diff=task.diff)
    params, own = task.params or {}, template["task_params"] or {}
    return replace(
        order,
        check=params.get("dry_run") is True,
        diff=params.get("diff") is True,
        verbose=params.get("debug") is True and own.get("allow_debug", False),
    )


def _task_words(task: Task, template: Record) -> list[str]:
    return _words(task.arguments) if template["allow_override_args_in_task"] else []


def _words(text: str | None) -> list[str]:
    try:
        value: Any = json.loads(text or "[]")
    except ValueError:
        return []
    return [str(word) for word in value] if isinstance(value, list) else []


def _object(text: str) -> Record:
    value: Any = json.loads(text or "{}")
    return value if isinstance(value, dict) else {}
