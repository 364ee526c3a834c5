"""An API request from token to answer, by way of the faults ordered for it."""

from __future__ import annotations

import hmac
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import Enum

from opspilot.sandbox.gitlab import api, faults
from opspilot.sandbox.gitlab.faults import Fault, FaultQueue, Kind
from opspilot.sandbox.gitlab.messages import Answer, RefusedError, Request, json_answer, refused
from opspilot.sandbox.gitlab.model import Settings
from opspilot.sandbox.gitlab.request_log import RequestLog
from opspilot.sandbox.gitlab.shapes import Shapes
from opspilot.sandbox.gitlab.store import Store


class Delivery(Enum):
    WHOLE = "whole"
    CUT = "cut"
    NONE = "none"


@dataclass(frozen=True)
class Reply:
    answer: Answer
    delivery: Delivery = Delivery.WHOLE


class Gate:
    """`stop` cuts every wait short when the process ends."""

    def __init__(
        self, store: Store, log: RequestLog, queue: FaultQueue, token: str, stop: threading.Event
    ) -> None:
        self.store, self.log, self.queue, self.stop = store, log, queue, stop
        self._token = token

    def reply(self, request: Request, base_url: str) -> Reply:
        fault: Fault | None = None
        operation = ""
        try:
            self._check_token(request)
            route, parts = api.find_route(request)
            operation = route.operation
            fault = self.queue.take(request, operation)
            delay = self.queue.take_list_delay(request, operation)
            late = replace(request, list_delay=delay)
            call = api.Call(late, parts, self.store, Shapes(self.store, base_url))
            reply = self._perform(fault, lambda: route.endpoint(call))
        except RefusedError as refusal:
            reply = Reply(refusal.answer)
        self._log(request, operation, fault, reply)
        if fault is not None and fault.kind is Kind.SLOW:
            self.stop.wait(fault.seconds)
        return reply

    def _perform(self, fault: Fault | None, endpoint: Callable[[], Answer]) -> Reply:
        if fault is None:
            return Reply(endpoint())
        if fault.kind in faults.BEFORE:
            return self._instead(fault)
        if fault.kind is Kind.STORE_LATE and self.stop.wait(fault.seconds):
            return Reply(faults.server_error(), Delivery.NONE)
        return _afterwards(fault, endpoint())

    def _instead(self, fault: Fault) -> Reply:
        match fault.kind:
            case Kind.REFUSE:
                return Reply(faults.refusal(fault))
            case Kind.THROTTLE:
                return Reply(faults.throttle(fault))
            case Kind.ERROR_BEFORE:
                return Reply(faults.server_error())
            case Kind.LIST_DOWN:
                return Reply(faults.unavailable())
        if fault.kind is Kind.HANG_BEFORE:
            self.stop.wait(fault.seconds)
        return Reply(faults.server_error(), Delivery.NONE)

    def _log(self, request: Request, operation: str, fault: Fault | None, reply: Reply) -> None:
        self.log.write(
            request,
            operation=operation,
            fault=fault.kind if fault else None,
            status=None if reply.delivery is Delivery.NONE else reply.answer.status,
            stored_iid=reply.answer.stored_iid,
        )

    def _check_token(self, request: Request) -> None:
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        shown = bearer.strip() if scheme.lower() == "bearer" else ""
        shown = shown or request.headers.get("private-token", "")
        if not hmac.compare_digest(shown.encode(), self._token.encode()):
            raise refused(401, "401 Unauthorized")
        settings = self.store.settings()
        _check_alive(settings)
        _check_scope(settings, request.method)


def _check_alive(settings: Settings) -> None:
    expires_at = settings.token_expires_at
    if settings.token_revoked:
        raise _invalid_token("Token was revoked. You have to re-authorize from the user.")
    if expires_at and date.fromisoformat(expires_at) <= datetime.now(UTC).date():
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
    match fault.kind:
        case Kind.ERROR_AFTER:
            return Reply(replace(faults.server_error(), stored_iid=answer.stored_iid))
        case Kind.DROP_AFTER:
            return Reply(answer, Delivery.NONE)
        case Kind.CUT_BODY:
            return Reply(answer, Delivery.CUT)
        case Kind.HTML_200:
            return Reply(faults.login_page(answer.stored_iid))
    return Reply(answer)
