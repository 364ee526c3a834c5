"""Requests no page of ours makes: answered in words, never with a fault."""

from __future__ import annotations

import pytest
from django.test import Client
from psycopg import Connection

from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from tests import factories


@pytest.fixture
def home(committed: None) -> Tenant:
    return factories.a_tenant()


def person(tenant: Tenant) -> Client:
    client = Client()
    client.force_login(factories.a_person(tenant, *Role))
    return client


@pytest.mark.parametrize("collection", ["\x00", "a\x00b", "não existe", "'; DROP TABLE run; --"])
def test_a_collection_nobody_has_is_simply_not_asked(home: Tenant, collection: str) -> None:
    answer = person(home).post("/perguntar/enviar/", {"pergunta": "x", "colecao": collection})
    assert answer.status_code == 302


@pytest.mark.parametrize("number", ["²", "-1", "9" * 40, "1e3", "٣"])
@pytest.mark.parametrize("field", ["versao", "trecho", "de", "ate"])
def test_a_number_that_is_none_is_left_out(home: Tenant, field: str, number: str) -> None:
    version = factories.a_published_document(home)
    page = f"/conhecimento/documentos/{version.document.ref}/"
    assert person(home).get(page, {field: number}).status_code == 200


@pytest.mark.parametrize("act", ["cancelar", "retomar"])
def test_an_act_with_nothing_to_fill_in_takes_no_fields(home: Tenant, act: str) -> None:
    proposal = factories.a_proposal(home)
    answer = person(home).post(f"/aprovacoes/{proposal.ref}/{act}/", {"approved": "1"})
    assert answer.status_code == 422
    assert "campo_desconhecido" in answer.content.decode()


def test_a_policy_altered_past_the_console_allows_nothing_and_says_so(
    home: Tenant, admin: Connection
) -> None:
    factories.a_policy(home)
    admin.execute("ALTER TABLE policy_version DISABLE TRIGGER append_only")
    admin.execute(
        "UPDATE policy_version SET document = jsonb_set(document, '{versao_esquema}', '2') "
        "WHERE tenant_id = %s",
        [home.pk],
    )
    admin.execute("ALTER TABLE policy_version ENABLE TRIGGER append_only")
    answer = person(home).get("/rodadas/comando/")
    assert answer.status_code == 422
    assert "politica_alterada" in answer.content.decode()
