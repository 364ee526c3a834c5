"""A refused form loses nothing: the sentence, the code, and what was typed come back together."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from audit.models import AgenteAcao
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

FORM: dict[str, Any] = {
    "alias": "infra",
    "titulo": "Um título que não se perde",
    "descricao": "Uma descrição que não se perde",
    "justificativa": "um motivo que não se perde",
}
TASK = {"template_id": "7", "limit": "", "justificativa": ""}
FAULTS: dict[str, dict[str, Any]] = {
    "projeto_desconhecido": {"alias": "cozinha"},
    "etiqueta_desconhecida": {"etiquetas": ["urgente"]},
    "responsavel_desconhecido": {"responsaveis": ["diretoria"]},
    "documento_invalido": {"cliente": "123"},
    "justificativa_exigida": {"justificativa": "curto"},
    "campo_desconhecido": {"allowed_project": "secret-admin"},
    "comando_invalido": {"descricao": "opk" + "a1" * 16},
}


@pytest.fixture
def home(committed: None) -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return tenant


def person(tenant: Tenant, role: Role) -> Client:
    client = Client()
    client.force_login(factories.a_person(tenant, role))
    return client


@pytest.mark.parametrize("code", FAULTS)
def test_a_refused_command_keeps_its_words_names_its_code_and_leaves_a_row(
    home: Tenant, code: str
) -> None:
    answer = person(home, Role.OPERADOR).post("/rodadas/comando/", FORM | FAULTS[code])
    page = answer.content.decode()
    assert answer.status_code == 422
    assert code in page
    assert FORM["titulo"] in page
    with tenant_scope(home.pk):
        assert AgenteAcao.objects.filter(acao="acao.recusada", saida_resumo=code).count() == 1


@pytest.mark.parametrize("address", ["/rodadas/comando/", "/rodadas/tarefa/"])
def test_a_number_that_is_no_document_is_marked_at_its_field(home: Tenant, address: str) -> None:
    typed = {**(FORM if "comando" in address else TASK), "cliente": "123"}
    page = person(home, Role.OPERADOR).post(address, typed).content.decode()
    field = page.partition('for="id_cliente"')[2].partition("</form>")[0]
    assert 'class="error"' in field
    assert "não é um CPF nem um CNPJ válido" in field


@pytest.mark.parametrize(
    ("question", "code"), [("   ", "pergunta_vazia"), ("á" * 50_000, "pergunta_longa")]
)
def test_a_refused_question_comes_back_in_its_box(home: Tenant, question: str, code: str) -> None:
    answer = person(home, Role.OPERADOR).post("/perguntar/enviar/", {"pergunta": question})
    assert answer.status_code == 422
    assert code in answer.content.decode()
    assert question in answer.content.decode()


def test_a_refusal_without_a_reason_comes_back_with_what_was_typed(home: Tenant) -> None:
    proposal = factories.a_proposal(home)
    answer = person(home, Role.APROVADOR).post(
        f"/aprovacoes/{proposal.ref}/recusar/",
        {"acao_hash": proposal.acao_hash, "motivo": "não dá"},
    )
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "motivo_exigido" in page
    assert "não dá" in page
    assert "Confirmar recusa" in page
