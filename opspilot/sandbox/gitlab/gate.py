"""An API request from token to answer, by way of the faults ordered for it."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum

from opspilot.sandbox.gitlab import api, failures, faults
from opspilot.sandbox.gitlab.calls import Call
from opspilot.sandbox.gitlab.faults import Fault, FaultQueue, Kind
from opspilot.sandbox.gitlab.limits import Limits
from opspilot.sandbox.gitlab.messages import Answer, RefusedError, Request, json_answer, refused
from opspilot.sandbox.gitlab.model import Settings
from opspilot.sandbox.gitlab.request_log import RequestLog
from opspilot.sandbox.gitlab.shapes import Shapes
from opspilot.sandbox.gitlab.store import Store


class Delivery(Enum):
    WHOLE = "whole"
    CUT = "cut"
    NONE = "none"
    RESET = "reset"


@dataclass(frozen=True)
class Reply:
    answer: Answer
    delivery: Delivery = Delivery.WHOLE

    @property
    def answered(self) -> bool:
        return self.delivery in {Delivery.WHOLE, Delivery.CUT}


@dataclass
class _Met:
    """What is known of a request by the time it is logged."""

    user_id: int | None = None
    operation: str = ""
    fault: Fault | None = None


class Gate:
    def __init__(self, store: Store, log: RequestLog, queue: FaultQueue, token: str) -> None:
        self.store, self.log, self.queue = store, log, queue
        self.clock, self.limits = store.clock, Limits()
        self._token = token

    def reply(self, request: Request, base_url: str) -> Reply:
        met = _Met()
        try:
            reply = self._reply(request, base_url, met)
        except RefusedError as refusal:
            reply = Reply(refusal.answer)
        self.log.write(
            request,
            reply.answer,
            user_id=met.user_id,
            operation=met.operation,
            fault=met.fault.kind if met.fault else None,
            answered=reply.answered,
        )
        if met.fault is not None and met.fault.kind in faults.WAITS_AFTER:
            self.clock.wait(met.fault.seconds)
        return reply

    def _reply(self, request: Request, base_url: str, met: _Met) -> Reply:
        time.sleep(self.store.settings().latency)
        self._check_token(request, met)
        route, parts = api.find_route(request)
        met.operation = route.operation
        at, settings = self.clock.time(), self.store.settings()
        self.limits.check(request, route.operation, settings, at=at)
        met.fault = self.queue.take(request, route.operation)
        riders = self.queue.take_riders(request, route.operation)
        late = riders.get(Kind.LIST_LATE)
        ordered = replace(
            request, list_delay=late.seconds if late else 0.0, mishaps=frozenset(riders)
        )
        call = Call(ordered, parts, self.store, Shapes(self.store, base_url))
        return self._perform(met.fault, lambda: route.endpoint(call))

    def _perform(self, fault: Fault | None, endpoint: Callable[[], Answer]) -> Reply:
        if fault is None:
            return Reply(endpoint())
        if fault.kind in faults.BEFORE:
            return self._instead(fault)
        if fault.kind is Kind.STORE_LATE and self.clock.wait(fault.seconds):
            return Reply(failures.server_error(), Delivery.NONE)
        return _afterwards(fault, endpoint())

    def _instead(self, fault: Fault) -> Reply:
        match fault.kind:
            case Kind.REFUSE:
                return Reply(failures.refusal(fault))
            case Kind.THROTTLE:
                return Reply(failures.throttle(fault, at=self.clock.time()))
            case Kind.ERROR_BEFORE:
                return Reply(failures.server_error())
            case Kind.GATEWAY_BEFORE:
                return Reply(failures.gateway(fault))
            case Kind.LIST_DOWN:
                return Reply(failures.unavailable())
        return Reply(failures.server_error(), Delivery.NONE)

    def _check_token(self, request: Request, met: _Met) -> None:
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        shown = bearer.strip() if scheme.lower() == "bearer" else ""
        shown = shown or request.headers.get("private-token", "")
        if not hmac.compare_digest(shown.encode(), self._token.encode()):
            raise refused(401, "401 Unauthorized")
        met.user_id = self.store.bot().id
        settings = self.store.settings()
        _check_alive(settings, self.clock.now().date())
        _check_scope(settings, request.method)


def _check_alive(settings: Settings, today: date) -> None:
    expires_at = settings.token_expires_at
    if settings.token_revoked:
        raise _invalid_token("Token was revoked. You have to re-authorize from the user.")
    if expires_at and date.fromisoformat(expires_at) <= today:
        raise _invalid_token("Token is expired. You can either do re-authorization or refresh.")


def _check_scope(settings: Settings, method: str) -> None:
    enough = {"api", "read_api"} if method in {"GET", "HEAD"} else {"api"}
    if not enough & set(settings.token_scopes):
        body = {
            "error": "insufficient_scope",
            "error_description": "The request requires higher privileges than provided.",
            "scope": " ".join(sorted(enough)),
        }
        raise RefusedError(json_answer(403, body))


def _invalid_token(description: str) -> RefusedError:
    body = {"error": "invalid_token", "error_description": description}
    return RefusedError(json_answer(401, body))


def _afterwards(fault: Fault, answer: Answer) -> Reply:
    """The work is done and stored; what the client sees of it is another matter."""
    shown = _shown(fault, answer)
    seen = replace(shown, stored_iid=answer.stored_iid, traces=answer.traces)
    return Reply(seen, _DELIVERIES.get(fault.kind, Delivery.WHOLE))


_DELIVERIES = {
    Kind.DROP_AFTER: Delivery.NONE,
    Kind.RESET_AFTER: Delivery.RESET,
    Kind.CUT_BODY: Delivery.CUT,
}


def _shown(fault: Fault, answer: Answer) -> Answer:
    match fault.kind:
        case Kind.ERROR_AFTER:
            return failures.server_error()
        case Kind.GATEWAY_AFTER:
            return failures.gateway(fault)
        case Kind.HTML_200:
            return failures.login_page()
        case Kind.BROKEN_BODY:
            return failures.broken(answer)
        case Kind.STATUS_200:
            return replace(answer, status=200)
        case Kind.FOREIGN_BODY:
            return failures.foreign(answer)
    return answer
