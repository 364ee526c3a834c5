"""Who was let in and stopped before the act: a body may take its time, and a thread may be awaited."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any, cast

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from approvals.models import AgenteAprovacao
from opspilot.api import agents, door, tokens
from opspilot.api.door import DoorMiddleware
from opspilot.api.entry import DoorRequest
from opspilot.mcp import calls
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import AtTheDoor, at_the_door, body

pytestmark = pytest.mark.django_db


def revoke(at: AtTheDoor) -> None:
    admin = factories.a_principal(at.tenant, Role.ADMIN)
    with tenant_scope(at.tenant.pk):
        tokens.revoke(principal=admin, token=at.token)


def pause(at: AtTheDoor) -> None:
    admin = factories.a_principal(at.tenant, Role.ADMIN)
    with tenant_scope(at.tenant.pk):
        agents.switch(principal=admin, agent=at.agent, active=False)


STOPS = pytest.mark.parametrize(
    ("stop", "code"), [(revoke, "token_revogado"), (pause, "agente_inativo")]
)


class SlowBody(BytesIO):
    """Something happens outside before it has arrived."""

    def __init__(self, content: bytes, meanwhile: Callable[[], None]) -> None:
        super().__init__(content)
        self._meanwhile: Callable[[], None] | None = meanwhile

    def read(self, size: int | None = -1, /) -> bytes:
        if self._meanwhile is not None:
            self._meanwhile()
            self._meanwhile = None
        return super().read(size)


def let_in(at: AtTheDoor) -> DoorRequest:
    request = RequestFactory(headers={"Authorization": f"Bearer {at.text}"}).post("/mcp")
    assert door.refusal(request) is None
    return cast(DoorRequest, request)


def proposals(at: AtTheDoor) -> int:
    with tenant_scope(at.tenant.pk):
        return AgenteAprovacao.objects.count()


@STOPS
def test_a_tool_called_by_one_that_was_stopped_since_it_was_let_in_does_nothing(
    stop: Callable[[AtTheDoor], None], code: str
) -> None:
    at = at_the_door()
    came = let_in(at)
    stop(at)
    answer = calls.answer(came, "propor", body())
    assert (answer.refused, answer.data["codigo"], proposals(at)) == (True, code, 0)


def test_nor_is_anything_read_to_it() -> None:
    at = at_the_door()
    ref = at.post("aprovacoes", body()).data["ref"]
    came = let_in(at)
    revoke(at)
    assert calls.answer(came, "estado_da_proposta", {"ref": ref}).data["codigo"] == "token_revogado"


@STOPS
def test_a_body_that_ends_after_the_stop_is_not_acted_on(
    stop: Callable[[AtTheDoor], None], code: str
) -> None:
    at = at_the_door()
    content = json.dumps(body()).encode()
    slow: dict[str, Any] = {"wsgi.input": SlowBody(content, lambda: stop(at))}
    request = RequestFactory(headers={"Authorization": f"Bearer {at.text}"}).generic(
        "POST",
        "/api/v1/aprovacoes",
        content,
        content_type="application/json",
        **slow,
    )
    answer = DoorMiddleware(lambda _request: HttpResponse())(request)
    assert (json.loads(answer.content)["codigo"], proposals(at)) == (code, 0)
