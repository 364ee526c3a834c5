"""Every refusal and fault at the agents' door as `application/problem+json` (RFC 9457).

The console's middleware answers people; this answers agents, by the same errors and the same rows
of the trail. A detail never repeats what was sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any

import structlog
from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from ninja import errors as ninja_errors

from approvals.errors import AlreadyDecidedError
from audit import trail
from audit.months.errors import TrailClosedError
from opspilot import request_id
from opspilot.api.entry import Visitor
from opspilot.api.errors import (
    BodyTooLargeError,
    FaultError,
    InvalidFieldsError,
    ScopeRequiredError,
    UnknownAddressError,
    UnreadableBodyError,
    UnreadableRequestError,
)
from opspilot.errors import LaterError, NotFoundError, OpsPilotError
from opspilot.tenancy.scope import tenant_scope

MEDIA_TYPE = "application/problem+json"
TYPE = "urn:opspilot:problema:"
MOST_FIELDS = 20
_BESIDE = frozenset({"justificativa"})  # stands beside the command, not in it

log = structlog.get_logger(__name__)
_MEANING: tuple[tuple[type[Exception], type[OpsPilotError]], ...] = (
    (NotFoundError, UnknownAddressError),  # the console's words speak of pages
    (Http404, UnknownAddressError),
    (RequestDataTooBig, BodyTooLargeError),
    (ninja_errors.HttpError, UnreadableBodyError),
    (SuspiciousOperation, UnreadableRequestError),
    (BadRequest, UnreadableRequestError),
    (UnreadablePostError, UnreadableRequestError),
)


def meaning(exception: Exception) -> OpsPilotError:
    """The refusal an exception stands for; anything unforeseen is a fault, said calmly."""
    if isinstance(exception, ninja_errors.ValidationError):
        return InvalidFieldsError(fields_of(exception.errors))
    for kind, error in _MEANING:
        if isinstance(exception, kind):
            return error()
    return exception if isinstance(exception, OpsPilotError) else FaultError()


def answer(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The problem, after its row in the trail of the agent's tenant, if the agent is known."""
    error = meaning(exception)
    if error.http_status >= 500 and not isinstance(error, LaterError):
        log.error("the door failed", path=request.path, exc_info=exception)
    visitor: Visitor | None = getattr(request, "visitor", None)
    if visitor is not None and error.audit_action and not error.facts.get("told"):
        _record(visitor, error)
    return response_of(error)


def response_of(error: OpsPilotError) -> HttpResponse:
    body: dict[str, Any] = {
        "type": TYPE + error.code,
        "title": str(error.title),
        "status": error.http_status,
        "detail": detail_of(error),
        "codigo": error.code,
        "pedido": request_id.current(),
    }
    faults = faults_of(error)
    if faults:
        body["campos"] = faults
    response = HttpResponse(
        json.dumps(body, ensure_ascii=False), status=error.http_status, content_type=MEDIA_TYPE
    )
    if "retry_after" in error.facts:
        response["Retry-After"] = str(error.facts["retry_after"])
    _challenge(response, error)
    return response


def described(status: int) -> dict[str, Any]:
    """A problem of this status as the description has it."""
    return {
        "description": HTTPStatus(status).phrase,
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }


def detail_of(error: OpsPilotError) -> str:
    """Who decided, and when, is said to people: an agent reads the state, and nobody's name."""
    return str(error.what) if isinstance(error, AlreadyDecidedError) else error.sentence


def faults_of(error: OpsPilotError) -> list[dict[str, str]]:
    """What is wrong with which field; a command's own fields stand under `comando`."""
    if isinstance(error, InvalidFieldsError):
        return error.problems
    names: Sequence[str] = error.facts.get("fields", ())
    places = [name if name in _BESIDE else f"comando.{name}" for name in names]
    return [{"campo": place[:80], "motivo": "invalido"} for place in places][:MOST_FIELDS]


def fields_of(faults: Iterable[dict[str, Any]]) -> list[dict[str, str]]:
    """Which fields, and the kind of fault: pydantic's own code, never the value."""
    found = [
        {"campo": _place(fault.get("loc", ())), "motivo": str(fault.get("type", "invalido"))}
        for fault in faults
    ]
    return found[:MOST_FIELDS]


def _place(parts: Iterable[object]) -> str:
    """ "body.dados.comando.title" → "comando.title": without what our own signatures add."""
    names = [str(part) for part in parts]
    if names and names[0] in {"body", "query", "path", "header"}:
        names = names[2:] if names[0] == "body" else names[1:]
    return ".".join(names)[:80] or "corpo"


def _challenge(response: HttpResponse, error: OpsPilotError) -> None:
    if error.http_status == 401:
        response["WWW-Authenticate"] = 'Bearer realm="opspilot", error="invalid_token"'
    elif isinstance(error, ScopeRequiredError):
        scope = error.facts["scope"]
        response["WWW-Authenticate"] = (
            f'Bearer realm="opspilot", error="insufficient_scope", scope="{scope}"'
        )


def _record(visitor: Visitor, error: OpsPilotError) -> None:
    """A database that cannot be written refuses everything anyway; the answer goes out all the
    same."""
    try:
        with tenant_scope(visitor.principal.tenant_id):
            trail.record_refusal(principal=visitor.principal, error=error)
    except (DatabaseError, TrailClosedError) as exc:
        log.error("a refusal could not be recorded", code=error.code, exc_info=exc)
