"""An API request from token to answer, by way of the faults ordered for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from opspilot.sandbox.semaphore import api, failures, faults
from opspilot.sandbox.semaphore.faults import Fault, FaultQueue, Kind
from opspilot.sandbox.semaphore.messages import Answer, RefusedError, Request
from opspilot.sandbox.semaphore.request_log import RequestLog
from opspilot.sandbox.semaphore.runs import Runs
from opspilot.sandbox.semaphore.tokens import Tokens


class Delivery(Enum):
    WHOLE = "whole"
    CUT = "cut"
    RESET = "reset"
    NONE = "none"


_DELIVERIES = {
    Kind.DROP_BEFORE: Delivery.NONE,
    Kind.HANG_BEFORE: Delivery.NONE,
    Kind.DROP_AFTER: Delivery.NONE,
    Kind.RESET_AFTER: Delivery.RESET,
    Kind.CUT_BODY: Delivery.CUT,
}


@dataclass(frozen=True)
class Reply:
    answer: Answer
    delivery: Delivery = Delivery.WHOLE

    @property
    def answered(self) -> bool:
        return self.delivery in {Delivery.WHOLE, Delivery.CUT}


class Gate:
    def __init__(self, runs: Runs, log: RequestLog, queue: FaultQueue, tokens: Tokens) -> None:
        self.runs, self.log, self.queue, self.tokens = runs, log, queue, tokens
        self.clock = runs.store.clock

    def reply(self, request: Request) -> Reply:
        fault: Fault | None = None
        operation = ""
        try:
            route, parts = api.find_route(request)
            operation = route.operation
            if operation != "ping":
                self.tokens.check(request, self.runs.store.settings())
            fault = self.queue.take(request, operation)
            before = fault is not None and fault.kind in faults.BEFORE
            riders = {} if before else self.queue.take_riders(request, operation)
            call = api.Call(request, parts, self.runs, self.tokens, riders)
            reply = self._perform(fault, lambda: route.endpoint(call))
        except RefusedError as refusal:
            reply = Reply(refusal.answer)
        self._log(request, operation, fault, reply)
        waits = fault is not None and fault.kind in faults.WAITS_AFTER
        self.clock.wait(fault.seconds if fault and waits else self.runs.store.settings().latency)
        return reply

    def _perform(self, fault: Fault | None, endpoint: Callable[[], Answer]) -> Reply:
        if fault is None:
            return Reply(endpoint())
        delivery = _DELIVERIES.get(fault.kind, Delivery.WHOLE)
        if fault.kind in faults.BEFORE:
            return Reply(failures.instead(fault), delivery)
        if fault.kind is Kind.STORE_LATE and self.clock.wait(fault.seconds):
            return Reply(failures.server_error(), Delivery.NONE)
        return Reply(failures.afterwards(fault, endpoint()), delivery)

    def _log(self, request: Request, operation: str, fault: Fault | None, reply: Reply) -> None:
        self.log.write(
            request,
            operation=operation,
            fault=fault.kind if fault else None,
            status=reply.answer.status if reply.answered else None,
            stored_id=reply.answer.stored_id,
        )
