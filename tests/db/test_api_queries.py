"""The named queries at the agents' door: whose they are, page by page, and what a wrong field is told."""

from __future__ import annotations

import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.management import call_command

from audit.models import AgenteAcao
from opspilot.api.scopes import Scope
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import Answered, AtTheDoor, at_the_door, give
from tests.db.browsing import a_browser
from tests.db.querying import a_row

DONE = "consultas/acoes-irreversiveis"


@pytest.fixture(scope="module")
def tenant(django_db_setup: None, django_db_blocker: Any) -> Tenant:
    with django_db_blocker.unblock():
        found = factories.a_tenant()
        for _ in range(3):
            a_row(found, acao="tarefa.executada")
        return found


@pytest.fixture
def door(committed: None, tenant: Tenant) -> AtTheDoor:
    return at_the_door(tenant, owner=factories.a_principal(tenant, Role.AUDITOR))


def rows(answer: Answered) -> list[int]:
    assert answer.status == 200, answer.data
    return [row["id"] for row in answer.data["linhas"]]


def all_pages(door: AtTheDoor, path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while path:
        answer = door.get(path)
        found += answer.data["linhas"]
        path = answer.headers.get("Link", "").partition(">")[0].removeprefix("</api/v1/")
    return found


def faults(answer: Answered) -> list[tuple[str, str]]:
    assert answer.status == 422, answer.data
    return [(fault["campo"], fault["motivo"]) for fault in answer.data["campos"]]


def test_the_list_says_of_each_query_what_it_takes_and_gives(door: AtTheDoor) -> None:
    found = {item["slug"]: item for item in door.get("consultas").data["itens"]}
    one = found["acoes-irreversiveis"]
    assert one["endereco"] == f"/api/v1/{DONE}"
    fields = {item["nome"]: item for item in one["campos"]}
    assert (fields["periodo"]["padrao"], "mes_passado" in fields["periodo"]["valores"]) == (
        "7d",
        True,
    )
    assert [item["nome"] for item in one["colunas"]] == door.get(DONE).data["colunas"]


def test_pages_follow_by_their_marker_and_are_of_one_moment(
    door: AtTheDoor, tenant: Tenant
) -> None:
    whole = rows(door.get(DONE))
    first = door.get(f"{DONE}?limite=2")
    a_row(tenant, acao="tarefa.executada")
    link = first.headers["Link"].partition(">")[0].removeprefix("<")
    second = door.get(link.removeprefix("/api/v1/"))
    assert rows(first) + rows(second) == whole
    assert (second.data["proximo"], second.data["cobertura"]["completa"]) == (None, False)
    assert parse_qs(urlsplit(link).query)["cursor"] == [first.data["proximo"]]


def test_an_answer_is_given_again_by_its_own_parameters(door: AtTheDoor, tenant: Tenant) -> None:
    first = door.get(DONE)
    a_row(tenant, acao="tarefa.executada")
    again = "&".join(f"{name}={value}" for name, value in first.data["parametros"].items())
    assert rows(door.get(f"{DONE}?{again.replace('+', '%2B')}")) == rows(first)


def test_the_command_line_the_page_and_the_api_agree_row_by_row(
    door: AtTheDoor, tenant: Tenant, tmp_path: Path
) -> None:
    a_row(tenant, acao="tarefa.executada", custo_exato=Decimal("1.000001"), fontes=[{"t": "á"}])
    path = tmp_path / "saida.json"
    call_command(
        "query", "acoes-irreversiveis", "--tenant", tenant.slug, "--format", "json",
        "--out", str(path), stdout=io.StringIO(), stderr=io.StringIO(),
    )  # fmt: skip
    of_command = json.loads(path.read_bytes())["linhas"]
    auditor = a_browser(tenant, Role.AUDITOR)
    page = auditor.client.get("/trilha/consultas/acoes-irreversiveis/exportar/json/")
    assert json.loads(page.getvalue())["linhas"] == of_command
    page.close()
    assert all_pages(door, f"{DONE}?limite=2") == of_command


def test_each_reading_is_a_row_under_the_agent_s_name(door: AtTheDoor) -> None:
    count = len(rows(door.get(DONE)))
    with tenant_scope(door.tenant.pk):
        (row,) = AgenteAcao.objects.filter(agente=door.agent.slug, acao="historico.lido")
    assert row.saida_resumo == f"acoes-irreversiveis v1 n={count}"


def test_a_token_without_the_scope_reads_nothing(committed: None, tenant: Tenant) -> None:
    owner = factories.a_principal(tenant, Role.AUDITOR)
    others = [scope for scope in Scope if scope != Scope.READ_TRAIL]
    stranger = at_the_door(tenant, owner=owner, scopes=others)
    assert [stranger.get(path).status for path in ("consultas", DONE)] == [403, 403]


def test_an_agent_reads_what_whoever_answers_for_it_may_read_now(door: AtTheDoor) -> None:
    give(door.agent, to=factories.a_principal(door.tenant, Role.OPERADOR))
    assert door.get("consultas").data["itens"] == []
    refused = door.get(DONE)
    assert (refused.status, refused.data["codigo"]) == (403, "responsavel_sem_papel")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("acoes-irreversiveis?usuario=x", [("usuario", "extra_forbidden")]),
        ("acoes-irreversiveis?periodo=sempre", [("periodo", "invalido")]),
        ("acoes-irreversiveis?agente=a&agente=b", [("agente", "repeated")]),
        ("acoes-irreversiveis?cursor=x", [("cursor", "invalido")]),
        ("acoes-irreversiveis?limite=501", [("limite", "less_than_equal")]),
        ("reconstrucao-da-rodada", [("correlacao", "missing")]),
        ("historico-da-entidade?entidade=529.982.247-25", [("entidade", "invalido")]),
    ],
)
def test_a_wrong_field_is_named_and_what_was_sent_is_not_repeated(
    door: AtTheDoor, asked: str, told: list[tuple[str, str]]
) -> None:
    assert faults(door.get(f"consultas/{asked}")) == told


def test_a_marker_of_other_fields_is_refused(door: AtTheDoor) -> None:
    marker = door.get(f"{DONE}?limite=1").data["proximo"]
    assert faults(door.get(f"{DONE}?agente=x&cursor={marker}")) == [("cursor", "invalido")]


def test_an_unknown_query_is_not_found(door: AtTheDoor) -> None:
    assert door.get("consultas/nao-ha").status == 404
