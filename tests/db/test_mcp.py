"""The agents' second entrance: its own process, asked by the protocol's own client."""

from __future__ import annotations

import datetime as dt
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import anyio
import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, ListToolsResult

from approvals.models import AgenteAprovacao
from audit.models import AgenteAcao
from opspilot.api import agents, tokens
from opspilot.api.models import AgentToken, AgentWindow
from opspilot.api.scopes import Scope
from opspilot.bootstrap.network import free_port
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import AtTheDoor, at_the_door, body
from tests.db import agents_asking
from tests.unit.docs.documents import ROOT

pytestmark = pytest.mark.usefixtures("committed")
PER_MINUTE = 40
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    port = free_port()
    line = [sys.executable, "manage.py", "mcp", "--port", str(port)]
    more = {
        "DJANGO_SETTINGS_MODULE": "opspilot.settings.test",
        "OPSPILOT_AGENT_REQUESTS_PER_MINUTE": str(PER_MINUTE),
    }
    process = subprocess.Popen(line, cwd=ROOT, env=os.environ | more, stdout=subprocess.DEVNULL)
    try:
        _wait_for(f"http://127.0.0.1:{port}/livez")
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(40) in {0, -signal.SIGTERM}


def _wait_for(url: str) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until:
        try:
            httpx.get(url).raise_for_status()
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the server did not start")


def through(address: str, text: str, ask: Callable[[Client], Any]) -> Any:
    async def run() -> Any:
        headers = {"Authorization": f"Bearer {text}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            return await ask(client)

    return anyio.run(run)


def called(address: str, door: AtTheDoor, name: str, **arguments: Any) -> CallToolResult:
    result: CallToolResult = through(
        address, door.text, lambda client: client.call_tool(name, arguments)
    )
    return result


def data(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return dict(result.structured_content)


def refused(result: CallToolResult) -> dict[str, Any]:
    assert result.is_error
    assert result.structured_content is not None
    return dict(result.structured_content)


def posted(address: str, text: str, **given: Any) -> httpx.Response:
    headers = {
        "Authorization": f"Bearer {text}",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
    } | given.pop("headers", {})
    sent = given or {"json": PING}
    return httpx.post(address, headers=headers, timeout=30, **sent)


def test_there_are_four_tools_and_none_decides(address: str) -> None:
    found: ListToolsResult = through(
        address, at_the_door().text, lambda client: client.list_tools()
    )
    assert [tool.name for tool in found.tools] == [
        "consultar_grounding",
        "propor",
        "estado_da_proposta",
        "registrar_acao",
    ]


def test_a_verb_that_decides_is_not_found_and_leaves_a_row(address: str) -> None:
    door = at_the_door()
    assert refused(called(address, door, "aprovar", ref=str(uuid.uuid4())))["codigo"] == (
        "nao_encontrado"
    )
    with tenant_scope(door.tenant.pk):
        row = AgenteAcao.objects.get(acao="acao.recusada", agente=door.agent.slug)
    assert row.saida_resumo == "nao_encontrado"


def test_an_agent_proposes_reads_the_decision_and_records_what_it_did(address: str) -> None:
    scene = agents_asking.a_scene()
    door = at_the_door(scene.tenant, owner=scene.owner, slug="agente-a")
    run = str(uuid.uuid4())
    made = data(
        called(
            address,
            door,
            "propor",
            acao=agents_asking.REFUND,
            comando=agents_asking.FIELDS,
            justificativa="O cliente foi cobrado em dobro.",
            correlacao_id=run,
        )
    )
    with tenant_scope(scene.tenant.pk):
        proposal = AgenteAprovacao.objects.get(ref=made["ref"])
    factories.approve(proposal, scene.approver)
    state = data(called(address, door, "estado_da_proposta", ref=made["ref"], espera=5))
    assert (state["estado"], state["acao_hash"]) == ("aprovada", made["acao_hash"])
    written = data(
        called(
            address,
            door,
            "registrar_acao",
            chave="estorno-1",
            acao=agents_asking.REFUND,
            correlacao_id=run,
            resultado="ok",
            autorizacao="humana",
            aprovacao=made["ref"],
            acao_hash=made["acao_hash"],
        )
    )
    with tenant_scope(scene.tenant.pk):
        assert AgenteAcao.objects.get(id=written["id"]).aprovacao_id == proposal.pk


def test_the_same_key_proposes_once_also_across_both_entrances(address: str) -> None:
    door = at_the_door()
    given = body() | {"chave_idempotencia": "k-1"}
    first, second = (data(called(address, door, "propor", **given)) for _ in range(2))
    assert first["ref"] == second["ref"]
    assert door.post("aprovacoes", body(comando={"title": "x"}), Idempotency_Key="k-1").data[
        "codigo"
    ] == ("chave_com_outro_conteudo")


@pytest.mark.parametrize(
    ("changes", "status"),
    [({"acao": "x"}, 422), ({"comando": {"title": ""}}, 422), ({"sobra": 1}, 422)],
)
def test_bad_input_is_said_as_the_api_says_it(
    address: str, changes: dict[str, Any], status: int
) -> None:
    door = at_the_door()
    here = refused(called(address, door, "propor", **body(**changes)))
    there = door.post("aprovacoes", body(**changes))
    assert there.status == here["status"] == status
    assert here | {"pedido": ""} == there.data | {"pedido": ""}


def test_a_reference_that_is_none_names_the_field(address: str) -> None:
    problem = refused(called(address, at_the_door(), "estado_da_proposta", ref="../acoes"))
    assert problem["campos"] == [{"campo": "ref", "motivo": "uuid_parsing"}]


def test_another_agents_proposal_is_not_found(address: str) -> None:
    door, other = at_the_door(), at_the_door()
    ref = other.post("aprovacoes", body()).data["ref"]
    assert refused(called(address, door, "estado_da_proposta", ref=ref))["status"] == 404


def test_a_missing_scope_is_a_tools_error_with_its_code(address: str) -> None:
    door = at_the_door(scopes=[Scope.READ])
    assert refused(called(address, door, "propor", **body()))["codigo"] == "escopo_exigido"


def test_it_consults_as_itself_and_only_what_is_granted(address: str) -> None:
    door = at_the_door()
    mine = {"agente_id": door.agent.slug}
    found = data(called(address, door, "consultar_grounding", query="Fila parada", contexto=mine))
    assert (found["cobertura"], found["indices_consultados"]) == ("nenhuma", [])
    other = {"agente_id": "outro"}
    problem = refused(
        called(address, door, "consultar_grounding", query="Fila parada", contexto=other)
    )
    assert problem["codigo"] == "agente_de_outro_token"


def test_a_wrong_token_is_401(address: str) -> None:
    assert posted(address, "opsk_00000000_" + "a" * 43).json()["codigo"] == "token_desconhecido"
    assert posted(address, "opsk_00000000_" + "a" * 43).status_code == 401


def test_no_token_is_401_with_a_challenge(address: str) -> None:
    answer = httpx.post(address, json=PING)
    assert (answer.status_code, answer.json()["codigo"]) == (401, "token_ausente")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_revoked_token_is_401(address: str) -> None:
    door = at_the_door()
    admin = factories.a_principal(door.tenant, Role.ADMIN)
    assert posted(address, door.text).status_code == 200
    with tenant_scope(door.tenant.pk):
        tokens.revoke(principal=admin, token=door.token)
    answer = posted(address, door.text)
    assert (answer.status_code, answer.json()["codigo"]) == (401, "token_revogado")


def test_an_expired_token_is_401(address: str) -> None:
    door = at_the_door()
    with tenant_scope(door.tenant.pk):
        just_now = door.token.created_at + dt.timedelta(microseconds=1)
        AgentToken.objects.filter(pk=door.token.pk).update(expires_at=just_now)
    answer = posted(address, door.text)
    assert (answer.status_code, answer.json()["codigo"]) == (401, "token_vencido")


def test_a_paused_agent_is_not_let_in(address: str) -> None:
    door = at_the_door()
    admin = factories.a_principal(door.tenant, Role.ADMIN)
    with tenant_scope(door.tenant.pk):
        agents.switch(principal=admin, agent=door.agent, active=False)
    assert posted(address, door.text).json()["codigo"] == "agente_inativo"


def test_a_full_minute_is_429_and_says_when_to_come_back(address: str) -> None:
    door = at_the_door()
    with tenant_scope(door.tenant.pk):  # a minute that has not ended when this test has
        AgentWindow.objects.create(
            tenant_id=door.tenant.pk,
            agent=door.agent,
            started_at=clock.now() + dt.timedelta(minutes=1),
            used=PER_MINUTE - 1,
        )
    last, over = posted(address, door.text), posted(address, door.text)
    assert (last.status_code, over.status_code) == (200, 429)
    assert int(over.headers["Retry-After"]) >= 1


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"Host": "rebound.example"}, 400), ({"Origin": "https://page.example"}, 403)],
)
def test_a_page_cannot_ask_here(address: str, headers: dict[str, str], status: int) -> None:
    assert posted(address, at_the_door().text, headers=headers).status_code == status


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b'{"jsonrpc": "2.0", "jsonrpc": "2.0", "id": 1, "method": "ping"}', 400),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', 400),
        (b"{", 400),
        (b'{"a": "' + b"x" * 262_144 + b'"}', 413),
    ],
)
def test_a_body_that_is_no_plain_object_is_refused(
    address: str, content: bytes, status: int
) -> None:
    assert posted(address, at_the_door().text, content=content).status_code == status


def test_only_post_is_answered(address: str) -> None:
    assert httpx.get(address).headers["Allow"] == "POST"


def test_a_call_that_is_no_call_says_nothing_of_the_inside(address: str) -> None:
    door = at_the_door()
    broken = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": ["segredo"]}}
    answer = posted(address, door.text, json=broken)
    assert "error" in answer.json()
    assert not any(word in answer.text for word in ("segredo", "Traceback", "pydantic"))
