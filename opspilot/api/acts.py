"""One transaction around each act of an agent, and one act for each `Idempotency-Key`."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse

from opspilot.api import idempotency
from opspilot.api.entry import DoorRequest
from opspilot.api.idempotency import Answer, Claim
from opspilot.tenancy.scope import tenant_scope

REPLAYED = "Idempotency-Replayed"

Act = Callable[[], HttpResponse]


def once(request: DoorRequest, act: Act) -> HttpResponse:
    """Do it in the agent's tenant; with a key, at most once. A refusal rolls back and gives the
    key back."""
    key = request.headers.get(idempotency.HEADER)
    if key is None:
        with tenant_scope(request.visitor.principal.tenant_id):
            return act()
    made = idempotency.claim(visitor=request.visitor, key=key, request=request)
    return _again(made) if isinstance(made, Answer) else _first(made, act)


def _first(made: Claim, act: Act) -> HttpResponse:
    done = False
    try:
        with tenant_scope(made.visitor.principal.tenant_id):
            response = act()
            if response.status_code < 400:
                idempotency.settle(made, response)
                done = True
        return response
    finally:
        if not done:
            idempotency.release(made)


def _again(answer: Answer) -> HttpResponse:
    response = HttpResponse(
        answer.body, status=answer.status, content_type="application/json; charset=utf-8"
    )
    response[REPLAYED] = "true"
    if answer.location:
        response["Location"] = answer.location
    return response
