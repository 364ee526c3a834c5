"""The control door, `/_sandbox/`: what only a test or the smoke run may ask."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from typing import Any

from opspilot.sandbox.semaphore import clock, outcomes, seed
from opspilot.sandbox.semaphore.faults import FaultQueue, read_faults
from opspilot.sandbox.semaphore.messages import Answer, Request, json_answer, refused
from opspilot.sandbox.semaphore.model import PLAYERS, ROLES, Record, Settings, Task
from opspilot.sandbox.semaphore.request_log import RequestLog
from opspilot.sandbox.semaphore.runs import Runs

PREFIX = "/_sandbox"
_THINGS = {"templates": "template", "inventories": "inventory"}


class Control:
    def __init__(self, runs: Runs, log: RequestLog, queue: FaultQueue, first: Record) -> None:
        self.runs, self.store, self.log, self.queue = runs, runs.store, log, queue
        self.clock, self._seed = runs.store.clock, first
        self._doors: dict[tuple[str, str], Callable[[Request], Answer]] = {
            ("GET", "/log"): lambda _: json_answer(200, self.log.entries()),
            ("GET", "/tasks"): lambda _: json_answer(200, self._tasks()),
            ("POST", "/tasks"): self._change_task,
            ("POST", "/copy"): self._copy_task,
            ("GET", "/faults"): lambda _: json_answer(200, self.queue.waiting()),
            ("POST", "/faults"): self._order_faults,
            ("GET", "/outcomes"): lambda _: json_answer(200, outcomes.names()),
            ("POST", "/outcomes"): self._order_outcome,
            ("GET", "/clock"): lambda _: json_answer(200, self._time()),
            ("POST", "/clock"): self._set_clock,
            ("DELETE", "/faults"): self._drop_faults,
            ("GET", "/config"): lambda _: json_answer(200, asdict(self.store.settings())),
            ("POST", "/config"): self._configure,
            ("POST", "/reset"): self._reset,
        }

    def answer(self, request: Request) -> Answer:
        # A browser page elsewhere could post here without being able to read; it shows an Origin.
        if "origin" in request.headers:
            raise refused(403, "not from a browser")
        door = self._doors.get((request.method, request.path.removeprefix(PREFIX)))
        if door is None:
            raise refused(404, "no such door")
        return door(request)

    def _tasks(self) -> list[Record]:
        """As they are stored, with the hosts that were really touched."""
        rows = self.store.every_task()
        return [asdict(task) | {"touched": self.runs.players.touched(task.id)} for task in rows]

    def _order_faults(self, request: Request) -> Answer:
        self.queue.add(read_faults(_json(request)))
        return json_answer(200, self.queue.waiting())

    def _order_outcome(self, request: Request) -> Answer:
        self.queue.add(outcomes.read_order(_json(request)))
        return json_answer(200, self.queue.waiting())

    def _set_clock(self, request: Request) -> Answer:
        """`{"advance": seconds, "scale": times as fast}`, either or both."""
        wanted = _object(request)
        if not set(wanted) <= {"advance", "scale"}:
            raise refused(400, "clock takes: advance, scale")
        advance = _number(wanted.get("advance", 0), clock.LARGEST_STEP)
        scale = _number(wanted["scale"], clock.LARGEST_SCALE) if "scale" in wanted else None
        if scale == 0:
            raise refused(400, "the clock cannot stand still")
        with self.store.transaction():
            self.store.put_value("clock", self.clock.change(advance=advance, scale=scale))
        return json_answer(200, self._time())

    def _time(self) -> Record:
        return {"now": self.clock.stamp(), "time": self.clock.time()}

    def _drop_faults(self, _request: Request) -> Answer:
        self.queue.clear()
        return json_answer(200, [])

    def _reset(self, _request: Request) -> Answer:
        self.runs.forget()
        with self.store.transaction():
            seed.sow(self.store, self._seed)
        self.runs.players.forget()
        self.queue.clear()
        self.clock.reset()
        self.log.clear()
        return json_answer(200, {"reset": True})

    def _change_task(self, request: Request) -> Answer:
        """`{"id": n, field: value}`: a person edits the message, a row gets stuck."""
        wanted = _object(request)
        changes = _known({name: wanted[name] for name in wanted if name != "id"}, Task)
        self.store.change_task(_id(wanted), **changes)
        return json_answer(200, {})

    def _copy_task(self, request: Request) -> Answer:
        """`{"id": n}`: a second task with the first one's message, never run."""
        number = _id(_object(request))
        for task in self.store.every_task():
            if task.id == number:
                twin = replace(task, id=0, created=self.store.clock.stamp(), status="success")
                with self.store.transaction():
                    self.store.add_task(twin)
                return json_answer(200, {"id": twin.id})
        raise refused(400, "no such task")

    def _configure(self, request: Request) -> Answer:
        wanted = _object(request)
        things = {name: wanted.pop(name) for name in _THINGS if name in wanted}
        settings = _checked(replace(self.store.settings(), **_known(wanted, Settings)))
        with self.store.transaction():
            self.store.put_settings(settings)
            for name, changed in things.items():
                for number, changes in changed.items():
                    self._change_thing(_THINGS[name], int(number), changes)
        return json_answer(200, asdict(settings))

    def _change_thing(self, kind: str, number: int, changes: Record) -> None:
        """A template may change between two reads, as anybody with the right may change it."""
        for project in self.store.projects():
            record = self.store.get(kind, project["id"], number)
            if record is not None:
                self.store.put(kind, _merged(record, changes))
                return
        raise refused(400, f"no such {kind}")


def _merged(record: Record, changes: Record) -> Record:
    """One level deep, so that one parameter of a template can be changed."""
    nested = {
        name: record[name] | value
        for name, value in changes.items()
        if isinstance(value, dict) and isinstance(record.get(name), dict)
    }
    return record | changes | nested


def _checked(settings: Settings) -> Settings:
    parts = settings.version.split(".") if isinstance(settings.version, str) else []
    if len(parts) < 2 or not all(part.isdigit() for part in parts):
        raise refused(400, "version is numbers with points")
    if settings.role not in {"", *ROLES}:
        raise refused(400, f"role is one of: {', '.join(ROLES)}, or empty")
    if settings.player not in PLAYERS:
        raise refused(400, f"player is one of: {', '.join(PLAYERS)}")
    return settings


def _known(changes: Record, record: type[Settings | Task]) -> Record:
    names = {field.name for field in fields(record)} - {"id"}
    if not set(changes) <= names:
        raise refused(400, f"{record.__name__.lower()} takes: {', '.join(sorted(names))}")
    return changes


def _object(request: Request) -> Record:
    value = _json(request)
    if not isinstance(value, dict):
        raise refused(400, "a JSON object is wanted")
    return value


def _number(value: Any, largest: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= largest:
        raise refused(400, f"a number between 0 and {largest:.0f} is wanted")
    return float(value)


def _id(wanted: Record) -> int:
    number = wanted.get("id")
    if not isinstance(number, int):
        raise refused(400, "id is a task's number")
    return number


def _json(request: Request) -> Any:
    try:
        return json.loads(request.body)
    except ValueError:
        raise refused(400, "the body is not JSON") from None
