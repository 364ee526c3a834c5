"""A refused form whose page cannot be drawn is answered by what hinders that, never by a fault."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from tests import factories
from tests.db.browsing import as_

FORMS: list[dict[str, Any]] = [
    {},
    {"x": "y"},
    {"texto": ""},
    {"motivo": "a"},
    {"endereco": ""},
    {"acao_hash": "x", "justificativa": "curta"},
    {"acao_hash": "x" * 64, "justificativa": "x" * 30},
]
UNKNOWN = [
    "/aprovacoes/{ref}/comentar/",
    "/aprovacoes/{ref}/apontar/",
    "/aprovacoes/{ref}/aprovar/",
    "/aprovacoes/{ref}/recusar/",
    "/paradas/{ref}/levantar/",
    "/rodadas/sobre/{ref}/reversao/",
    "/rodadas/sobre/{ref}/reenvio/",
    "/rodadas/{ref}/proposta/",
    "/permissoes/{ref}/revogar/",
    "/agentes/{ref}/editar/",
    "/agentes/{ref}/emitir/",
]


@pytest.fixture
def home(committed: None) -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return tenant


@pytest.fixture
def client(home: Tenant) -> Client:
    """Somebody with every role, whom only the form and the address can hinder."""
    client = as_(factories.a_principal(home, *Role)).just_proved().client
    client.raise_request_exception = False
    return client


@pytest.mark.parametrize("path", UNKNOWN)
def test_no_form_about_what_is_not_there_is_a_fault(client: Client, path: str) -> None:
    answers = [client.post(path.format(ref=uuid.uuid4()), form).status_code for form in FORMS]
    assert max(answers) < 500, answers


@pytest.mark.parametrize("path", ["/aprovacoes/{ref}/comentar/", "/paradas/{ref}/levantar/"])
def test_what_is_not_there_is_said_before_what_is_wrong_in_the_form(
    client: Client, path: str
) -> None:
    assert client.post(path.format(ref=uuid.uuid4()), {}).status_code == 404


@pytest.mark.parametrize("what", ["reversao", "reenvio"])
@pytest.mark.parametrize("form", FORMS)
def test_a_follow_up_that_cannot_be_asked_for_says_so_whatever_was_typed(
    home: Tenant, client: Client, what: str, form: dict[str, Any]
) -> None:
    pending = factories.a_proposal(home)
    answer = client.post(f"/rodadas/sobre/{pending.ref}/{what}/", form)
    assert answer.status_code == 409
    assert answer["X-Request-ID"] in answer.content.decode()
