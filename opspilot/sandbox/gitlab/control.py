"""The control door, `/_sandbox/`: what only a test or the smoke run may ask."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from opspilot.sandbox.gitlab import clock, configuring, outcomes, seed
from opspilot.sandbox.gitlab.faults import read_faults
from opspilot.sandbox.gitlab.gate import Gate
from opspilot.sandbox.gitlab.messages import (
    Answer,
    RefusedError,
    Request,
    bad_parameter,
    json_answer,
    refused,
)
from opspilot.sandbox.gitlab.model import Issue, stamp

PREFIX = "/_sandbox"
_TRACES = (
    ("quick_actions", "quick_action"),
    ("notifications", "notification"),
    ("images_fetched_by_readers", "image"),
    ("cross_references", "cross_reference"),
    ("labels_created", "label_created"),
    ("hidden_texts", "hidden_text"),
    ("dropped", "dropped"),
    ("template", "template"),
)


class Control:
    def __init__(self, gate: Gate, first: dict[str, Any]) -> None:
        self.store, self.log, self.queue, self.clock = gate.store, gate.log, gate.queue, gate.clock
        self.limits = gate.limits
        self._seed = first
        self._doors: dict[tuple[str, str], Callable[[Request], Answer]] = {
            ("GET", "/log"): lambda _: json_answer(200, self.log.entries()),
            ("GET", "/issues"): lambda _: json_answer(200, self._issues()),
            ("GET", "/faults"): lambda _: json_answer(200, self.queue.waiting()),
            ("POST", "/faults"): self._order_faults,
            ("DELETE", "/faults"): self._drop_faults,
            ("GET", "/outcomes"): lambda _: json_answer(200, outcomes.names()),
            ("POST", "/outcomes"): self._order_outcome,
            ("GET", "/clock"): lambda _: json_answer(200, self._time()),
            ("POST", "/clock"): self._set_clock,
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

    def _order_outcome(self, request: Request) -> Answer:
        self.queue.add(outcomes.read_order(_json(request)))
        return json_answer(200, self.queue.waiting())

    def _set_clock(self, request: Request) -> Answer:
        """`{"advance": seconds, "scale": times as fast}`, either or both."""
        wanted = _json(request)
        if not isinstance(wanted, dict) or not set(wanted) <= {"advance", "scale"}:
            raise bad_parameter("clock takes: advance, scale")
        advance = _number(wanted.get("advance", 0), clock.LARGEST_STEP)
        scale = _number(wanted["scale"], clock.LARGEST_SCALE) if "scale" in wanted else None
        if scale == 0:
            raise bad_parameter("the clock cannot stand still")
        with self.store.transaction():
            self.store.put_value("clock", self.clock.change(advance=advance, scale=scale))
        return json_answer(200, self._time())

    def _time(self) -> dict[str, Any]:
        return {"now": stamp(self.clock.now()), "time": self.clock.time()}

    def _drop_faults(self, _request: Request) -> Answer:
        self.queue.clear()
        return json_answer(200, [])

    def _reset(self, _request: Request) -> Answer:
        with self.store.transaction():
            seed.sow(self.store, self._seed)
        self.queue.clear()
        self.limits.clear()
        self.clock.reset()
        self.log.clear()
        return json_answer(200, {"reset": True})

    def _issues(self) -> list[dict[str, Any]]:
        return [self._raw(issue) for issue in self.store.every_issue()]

    def _raw(self, issue: Issue) -> dict[str, Any]:
        traces = self.store.traces(issue)
        return asdict(issue) | {
            name: [trace.value for trace in traces if trace.kind == kind] for name, kind in _TRACES
        }

    def _configure(self, request: Request) -> Answer:
        with self.store.transaction():
            settings = configuring.apply(self.store, _json(request))
        return json_answer(200, asdict(settings))


def _number(value: Any, largest: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= largest:
        raise bad_parameter(f"a number between 0 and {largest:.0f} is wanted")
    return float(value)


def _json(request: Request) -> Any:
    try:
        return json.loads(request.body)
    except ValueError:
        raise RefusedError(json_answer(400, {"error": "the body is not JSON"})) from None
