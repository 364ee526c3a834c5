"""The agents' door: who is let in, what is refused and how, and what a refusal leaves behind."""

from __future__ import annotations

import datetime as dt
import json
from functools import partial
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from approvals.models import AgenteAprovacao
from audit.models import AgenteAcao
from opspilot.api import agents, tokens
from opspilot.api.models import AgentToken
from opspilot.api.scopes import Scope
from opspilot.tenancy.models import Membership, Tenant, User
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import Answered, AtTheDoor, a_token, ask, at_the_door, body
from tests.conftest import Connection
from tests.db.races import at_once

pytestmark = pytest.mark.usefixtures("committed")
PROBLEM = {"type", "title", "status", "detail", "codigo", "pedido"}


def refusals(tenant: Tenant) -> list[AgenteAcao]:
    with tenant_scope(tenant.pk):
        return list(AgenteAcao.objects.filter(acao="acao.recusada").order_by("id"))


def is_problem(answer: Answered, status: int, code: str) -> bool:
    """A whole problem with that code."""
    fields = set(answer.data) - {"campos"}
    return (
        answer.headers["Content-Type"] == "application/problem+json"
        and fields == PROBLEM
        and answer.status == answer.data["status"] == status
        and answer.data["codigo"] == code
        and answer.data["type"] == f"urn:opspilot:problema:{code}"
        and answer.data["pedido"] == answer.headers["X-Request-ID"]
    )


def test_a_token_lets_its_agent_in() -> None:
    assert at_the_door().get("aprovacoes").status == 200


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", "Basic b3A6c2s=", "opsk_00000000_x", "Bearer " + "a" * 400],
)
def test_without_a_bearer_token_nobody_is_let_in(header: str) -> None:
    headers = {"Authorization": header} if header else {}
    answer = ask("GET", "aprovacoes", **headers)
    assert is_problem(answer, 401, "token_ausente")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer ")


def test_a_token_of_nobody_is_refused() -> None:
    answer = ask("GET", "aprovacoes", Authorization=f"Bearer opsk_00000000_{'a' * 43}")
    assert is_problem(answer, 401, "token_desconhecido")


def test_a_token_changed_by_one_letter_is_refused() -> None:
    door = at_the_door()
    last = "A" if door.text[-1] != "A" else "B"
    answer = ask("GET", "aprovacoes", Authorization=f"Bearer {door.text[:-1]}{last}")
    assert is_problem(answer, 401, "token_desconhecido")


def test_an_expired_token_is_refused_and_the_refusal_is_kept(admin: Connection) -> None:
    door = at_the_door()
    admin.execute(
        "UPDATE agent_token SET created_at = created_at - interval '2 days', "
        "expires_at = clock_timestamp() - interval '1 second' WHERE id = %s",
        [door.token.pk],
    )
    assert is_problem(door.get("aprovacoes"), 401, "token_vencido")
    (row,) = refusals(door.tenant)
    assert (row.agente, row.saida_resumo) == (door.agent.slug, "token_vencido")


def test_a_revoked_token_is_refused_at_once() -> None:
    door = at_the_door()
    person = factories.a_principal(door.tenant, Role.ADMIN)
    with tenant_scope(door.tenant.pk):
        tokens.revoke(principal=person, token=tokens.get(agent=door.agent, ref=door.token.ref))
    assert is_problem(door.get("aprovacoes"), 401, "token_revogado")


def test_no_token_of_an_agent_that_was_switched_off_lets_in() -> None:
    door = at_the_door()
    person = factories.a_principal(door.tenant, Role.ADMIN)
    with tenant_scope(door.tenant.pk):
        agents.switch(principal=person, agent=door.agent, active=False)
    assert is_problem(door.get("aprovacoes"), 403, "agente_inativo")


@pytest.mark.parametrize("how", ["deactivated", "without roles", "no member"])
def test_an_agent_nobody_answers_for_any_more_is_not_let_in(how: str) -> None:
    door = at_the_door()
    with tenant_scope(door.tenant.pk):
        mine = Membership.objects.filter(user_id=door.agent.owner_id)
        if how == "without roles":
            mine.update(roles=[])
        elif how == "no member":
            mine.delete()
    if how == "deactivated":
        User.objects.filter(pk=door.agent.owner_id).update(is_active=False)
    assert is_problem(door.get("aprovacoes"), 403, "agente_sem_dono")


def test_a_scope_the_token_has_not_is_named_and_refused() -> None:
    door = at_the_door(scopes=[Scope.READ])
    answer = door.post("aprovacoes", body())
    assert is_problem(answer, 403, "escopo_exigido")
    assert 'scope="aprovacoes:propor"' in answer.headers["WWW-Authenticate"]


def test_the_tenant_comes_from_the_token_whatever_the_request_says() -> None:
    door, other = at_the_door(), factories.a_tenant()
    answer = door.post("aprovacoes", body(), X_Tenant=str(other.pk), Cookie=f"tenant={other.pk}")
    assert answer.data["proposta"]["tenant"] == str(door.tenant.pk)


def test_somebody_logged_in_is_nobody_at_the_door() -> None:
    client = Client()
    client.force_login(factories.a_person(factories.a_tenant(), *Role))
    answer = client.get("/api/v1/aprovacoes")
    assert (answer.status_code, answer.json()["codigo"]) == (401, "token_ausente")


def test_a_token_opens_no_page_of_the_console() -> None:
    door = at_the_door()
    answer = Client().get("/aprovacoes/", headers={"Authorization": f"Bearer {door.text}"})
    assert answer.status_code == 302


def test_an_answer_of_the_door_stays_in_no_cache_and_sets_no_cookie() -> None:
    door = at_the_door()
    for answer in (door.get("aprovacoes"), door.get("nada"), ask("GET", "aprovacoes")):
        assert answer.headers["Cache-Control"] == "no-store"
        assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("path", ["nada", "aprovacoes/", "../v2/aprovacoes", "aprovacoes/nada"])
def test_an_unknown_address_is_a_problem_and_no_page(path: str) -> None:
    assert is_problem(at_the_door().get(path), 404, "nao_encontrado")


def test_a_wrong_method_says_which_are_right() -> None:
    answer = at_the_door().ask("DELETE", "aprovacoes")
    assert is_problem(answer, 405, "metodo_nao_aceito")
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "POST"}


UNREADABLE: dict[str, bytes] = {
    "no JSON": b"acao=issue.criada",
    "a list": b"[]",
    "a text": b'"issue.criada"',
    "a key twice": b'{"acao": "issue.criada", "acao": "outra"}',
    "no number": b'{"acao": NaN}',
    "half a letter": b'{"acao": "\xff"}',
    "half a pair": b'{"acao": "\\ud800"}',
    "a NUL": b'{"acao": "a\\u0000b"}',
    "a number without end": b'{"acao": ' + b"9" * 5000 + b"}",
    "a well": b'{"acao": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep": b'{"acao": ' + b"[" * 30 + b"]" * 30 + b"}",
    "UTF-16": '{"acao": "issue.criada"}'.encode("utf-16"),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_body_that_cannot_be_read_is_refused(kind: str) -> None:
    answer = at_the_door().post("aprovacoes", UNREADABLE[kind])
    assert is_problem(answer, 400, "corpo_ilegivel")


def test_a_body_above_the_limit_is_refused_before_it_is_read() -> None:
    answer = at_the_door().post("aprovacoes", b'{"acao": "' + b"a" * 300_000 + b'"}')
    assert is_problem(answer, 413, "corpo_grande_demais")


def test_a_body_that_is_not_json_by_its_own_word_is_refused() -> None:
    door = at_the_door()
    answer = door.post("aprovacoes", b"acao=x", Content_Type="application/x-www-form-urlencoded")
    assert is_problem(answer, 415, "tipo_nao_aceito")


@pytest.mark.parametrize(
    ("sent", "field", "fault"),
    [
        (body(aprovado=True), "aprovado", "extra_forbidden"),
        (body(comando={"tenant": "x"}), "comando.tenant", "invalido"),
        (body(justificativa="curta"), "justificativa", "string_too_short"),
        (body(correlacao_id="não é"), "correlacao_id", "uuid_parsing"),
        (body(instrucao_hash="abc"), "instrucao_hash", "string_pattern_mismatch"),
        ({"acao": "issue.criada"}, "comando", "missing"),
        (body(acao="Issue Criada"), "acao", "string_pattern_mismatch"),
    ],
)
def test_a_field_that_cannot_be_accepted_is_named_without_its_value(
    sent: dict[str, Any], field: str, fault: str
) -> None:
    answer = at_the_door().post("aprovacoes", sent)
    assert answer.status == 422
    assert {"campo": field, "motivo": fault} in answer.data["campos"]


def test_a_problem_never_repeats_what_was_sent() -> None:
    secret = "opsk_12345678_segredo-que-nao-volta"
    answer = at_the_door().post("aprovacoes", body(instrucao_hash=secret, acao=secret))
    assert secret not in json.dumps(answer.data)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("tenant=1", "tenant"),
        ("estado=aprovada&estado=pendente", "estado"),
        ("limite=0", "limite"),
        ("limite=1000", "limite"),
        ("cursor=abc", "cursor"),
        ("estado=qualquer", "estado"),
    ],
)
def test_a_parameter_that_cannot_be_accepted_is_named(query: str, field: str) -> None:
    answer = at_the_door().get(f"aprovacoes?{query}")
    assert answer.status == 422
    assert answer.data["campos"][0]["campo"] == field


def test_a_nul_in_the_address_is_refused() -> None:
    assert is_problem(at_the_door().get("aprovacoes?cursor=%00"), 400, "pedido_ilegivel")


def test_a_fault_is_said_calmly_and_says_nothing_of_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(**_arguments: object) -> None:
        raise ZeroDivisionError("a secret of the code")

    monkeypatch.setattr("opspilot.api.routes.reading.page", broken)
    answer = at_the_door().get("aprovacoes")
    assert is_problem(answer, 500, "falha_interna")
    assert "secret" not in json.dumps(answer.data)


def test_what_was_written_before_a_fault_is_rolled_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_proposal: AgenteAprovacao) -> None:
        raise ZeroDivisionError

    door = at_the_door()
    monkeypatch.setattr("opspilot.api.routes.reading.shown", broken)
    assert door.post("aprovacoes", body()).status == 500
    with tenant_scope(door.tenant.pk):
        assert not AgenteAprovacao.objects.exists()


def test_a_refusal_leaves_a_row_that_names_the_agent_and_the_request() -> None:
    door = at_the_door()
    answer = door.post("aprovacoes", body(comando={"alias": "nenhum"}))
    (row,) = refusals(door.tenant)
    assert row.agente == door.agent.slug
    assert row.entrada_resumo == f"Coletor noturno (agente:{door.agent.slug})"
    assert row.saida_resumo == answer.data["codigo"] == "projeto_desconhecido"
    assert row.request_id == answer.headers["X-Request-ID"]


def test_the_last_use_is_noted_at_most_once_a_minute(admin: Connection) -> None:
    door = at_the_door()

    def last_used() -> dt.datetime | None:
        with tenant_scope(door.tenant.pk):
            return AgentToken.objects.get(pk=door.token.pk).last_used_at

    assert last_used() is None
    door.get("aprovacoes")
    first = last_used()
    door.get("aprovacoes")
    assert last_used() == first
    assert first is not None
    admin.execute(
        "UPDATE agent_token SET last_used_at = last_used_at - interval '2 minutes' WHERE id = %s",
        [door.token.pk],
    )
    door.get("aprovacoes")
    assert (last_used() or first) > first


def test_the_minute_of_an_agent_gets_full_and_says_when_to_come_back(settings: Settings) -> None:
    settings.OPSPILOT_AGENT_REQUESTS_PER_MINUTE = 3
    door, other = at_the_door(), at_the_door()
    answers = [door.get("aprovacoes") for _ in range(8)]
    # A new minute may begin between two of them; it does so once at most.
    assert [a.status for a in answers].count(429) >= 2
    full = next(a for a in answers if a.status == 429)
    assert is_problem(full, 429, "pedidos_demais")
    assert 1 <= int(full.headers["Retry-After"]) <= 60
    assert other.get("aprovacoes").status == 200


def test_a_full_minute_leaves_one_row_and_not_one_for_each_request(settings: Settings) -> None:
    settings.OPSPILOT_AGENT_REQUESTS_PER_MINUTE = 1
    door = at_the_door()
    for _ in range(6):
        door.get("aprovacoes")
    codes = [row.saida_resumo for row in refusals(door.tenant)]
    assert set(codes) == {"pedidos_demais"}
    assert len(codes) <= 2  # a second one when a new minute began meanwhile


def test_a_revoked_token_does_not_fill_the_minute_of_its_agent(settings: Settings) -> None:
    settings.OPSPILOT_AGENT_REQUESTS_PER_MINUTE = 3
    door = at_the_door()
    person = factories.a_principal(door.tenant, Role.ADMIN)
    other = a_token(door.agent)
    with tenant_scope(door.tenant.pk):
        tokens.revoke(principal=person, token=tokens.get(agent=door.agent, ref=door.token.ref))
    refused = [door.get("aprovacoes").status for _ in range(6)]
    living = AtTheDoor(door.tenant, door.agent, other.token, other.text)
    assert set(refused) == {401}
    assert living.get("aprovacoes").status == 200
    assert [row.saida_resumo for row in refusals(door.tenant)] == ["token_revogado"]


def test_requests_at_once_do_not_slip_through_a_full_minute(settings: Settings) -> None:
    settings.OPSPILOT_AGENT_REQUESTS_PER_MINUTE = 5
    door = at_the_door()
    answers = at_once([partial(door.get, "aprovacoes")] * 16)
    let_in = [a for a in answers if isinstance(a, Answered) and a.status == 200]
    assert len(let_in) in {5, 6, 7, 8, 9, 10}  # a new minute may begin meanwhile
    assert len(answers) == 16


def test_the_description_is_open_and_knows_no_company() -> None:
    door = at_the_door()
    answer = ask("GET", "openapi.json")
    assert answer.status == 200
    assert door.tenant.name not in json.dumps(answer.data)
    assert door.agent.slug not in json.dumps(answer.data)


def test_a_foreign_host_is_refused() -> None:
    answer = at_the_door().get("aprovacoes", Host="outro.example")
    assert is_problem(answer, 400, "pedido_ilegivel")
