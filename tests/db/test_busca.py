"""The search box: it finds what the person may open, and keeps identifiers out of addresses."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from approvals.models import ExecutionState
from audit import entities
from audit.models import AgenteAcao
from opspilot.harness.models import RunKind
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db.browsing import Browser, a_browser, as_

pytestmark = pytest.mark.usefixtures("committed")
MAX_QUERIES = 30


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def auditor(tenant: Tenant) -> Browser:
    return a_browser(tenant, Role.AUDITOR)


@pytest.fixture
def operador(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR)


def a_customer(by: Principal) -> str:
    with tenant_scope(by.tenant_id):
        found = entities.resolve(
            principal=by,
            document=entities.parse_document(factories.CPF),
            correlation_id=uuid.uuid4(),
        )
    return f"/trilha/entidades/cliente/{found.ref}/"


def sent_to(browser: Browser, text: str) -> str:
    """Where a search leads at once; empty when it is answered where it was posted."""
    return str(browser.client.post("/busca/", {"q": text}).headers.get("Location", ""))


def test_words_get_an_address_and_find_documents_without_accents_or_case(
    tenant: Tenant, auditor: Browser
) -> None:
    version = factories.a_published_document(tenant, text="# Liquidação: FILA parada\n\nEspere.\n")
    assert sent_to(auditor, "liquidacao: fila") == "/busca/?q=liquidacao%3A+fila"
    page = auditor.read("/busca/?q=liquidacao: fila")
    assert f"/conhecimento/documentos/{version.document.ref}/" in page


def test_a_proposal_is_found_by_its_title_its_project_and_its_hash(
    tenant: Tenant, auditor: Browser
) -> None:
    proposal = factories.a_proposal(tenant, title="Rever limites do disco")
    address = f"/aprovacoes/{proposal.ref}/"
    for text in ("limites do disco", "aurora/infra", proposal.acao_hash[:8]):
        assert address in auditor.send("/busca/", q=text), text


@pytest.mark.parametrize(
    ("state", "word"),
    [
        (ExecutionState.RETIRADA, "retirada"),
        (ExecutionState.BLOQUEADA, "bloqueada"),
        (ExecutionState.DESCONHECIDA, "resultado desconhecido"),
    ],
)
def test_a_proposal_is_found_in_the_state_of_its_effect(
    auditor: Browser, tenant: Tenant, admin: Connection, state: ExecutionState, word: str
) -> None:
    proposal = factories.a_proposal(tenant, title="Rever limites do disco")
    factories.approve(proposal, factories.a_principal(tenant, Role.APROVADOR))
    admin.execute("UPDATE execution SET state = %s WHERE approval_id = %s", [state, proposal.pk])
    page = auditor.read("/busca/?q=limites do disco")
    assert word in page
    assert "aprovada" not in page.partition("<main")[2]


def test_signs_of_a_pattern_find_only_themselves(tenant: Tenant, auditor: Browser) -> None:
    factories.a_proposal(tenant, title="Ampliar o disco")
    assert "Ampliar o disco" not in auditor.read("/busca/?q=%25%25")
    assert "Ampliar o disco" not in auditor.read("/busca/?q=a_pliar")


def test_another_company_is_never_found(auditor: Browser) -> None:
    other = factories.a_tenant()
    proposal = factories.a_proposal(other, title="Segredo da outra empresa")
    version = factories.a_published_document(other, text="# Segredo da outra empresa\n\nNada.\n")
    page = auditor.read("/busca/?q=segredo da outra")
    assert "Nada encontrado" in page
    for ref in (proposal.ref, version.document.ref, proposal.correlacao_id):
        assert "Nada encontrado" in auditor.send("/busca/", q=str(ref))


def test_an_id_leads_to_its_page(tenant: Tenant, auditor: Browser) -> None:
    proposal = factories.a_proposal(tenant)
    assert sent_to(auditor, str(proposal.ref)) == f"/aprovacoes/{proposal.ref}/"
    # A proposal made without the harness: the trail alone knows its run.
    assert sent_to(auditor, str(proposal.correlacao_id)).endswith(f"/{proposal.correlacao_id}/")


def test_somebody_else_s_run_leads_nowhere_for_an_operador(tenant: Tenant) -> None:
    asker, other = (factories.a_principal(tenant, Role.OPERADOR) for _ in range(2))
    run = factories.a_run(tenant, by=asker, kind=RunKind.QUESTION, question="Como?")
    assert sent_to(as_(asker), str(run.ref)) == f"/rodadas/{run.ref}/"
    assert "Nada encontrado" in as_(other).send("/busca/", q=str(run.ref))


@pytest.mark.parametrize("text", [factories.CPF, factories.CPF.replace(".", "").replace("-", "")])
def test_a_document_number_opens_the_customer_s_history(
    auditor: Browser, operador: Principal, text: str
) -> None:
    address = a_customer(operador)
    assert sent_to(auditor, text) == address


def test_a_document_number_is_answered_calmly_and_nowhere_written(
    tenant: Tenant, auditor: Browser, operador: Principal
) -> None:
    a_customer(operador)
    for browser, text, words in (
        (as_(operador), factories.CPF, "é lido por quem abre a trilha"),
        (auditor, factories.CNPJ, "Nenhum registro de CNPJ **.222.333/****-**"),
        (auditor, "111.444.777-00", "Não é um CPF nem um CNPJ válido"),
        (auditor, "fulana@empresa.example", "Nada encontrado"),
    ):
        answer = browser.client.post("/busca/", {"q": text})
        page = answer.content.decode()
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
        assert words in page
        assert text not in page
    with tenant_scope(tenant.pk):
        rows = list(AgenteAcao.objects.exclude(acao="entidade.registrada").values())
    assert {(row["acao"], row["entidade_id"]) for row in rows} == {("historico.lido", None)}
    assert not any(number in str(rows) for number in (factories.CPF, factories.CNPJ))


def test_an_identifier_in_an_address_is_not_searched_for(auditor: Browser) -> None:
    page = auditor.read(f"/busca/?q={factories.CPF}")
    assert "Busque este texto pela caixa" in page
    assert factories.CPF not in page


def test_an_empty_search_says_what_can_be_searched(auditor: Browser) -> None:
    assert "O que se pode buscar" in auditor.send("/busca/", q="  ")
    assert "Escreva pelo menos 2 letras" in auditor.read("/busca/?q=a")


def test_only_pages_that_the_role_opens_are_offered(auditor: Browser, operador: Principal) -> None:
    assert 'href="/trilha/"' in auditor.read("/busca/?q=trilha").partition("<main")[2]
    assert "/trilha/" not in as_(operador).read("/busca/?q=trilha").partition("<main")[2]


def test_a_long_text_is_cut_and_says_so(auditor: Browser) -> None:
    page = auditor.send("/busca/", q="fila " * 100)
    assert "Nada encontrado" in page


def test_a_field_nobody_asked_for_is_refused(auditor: Browser) -> None:
    assert auditor.client.post("/busca/", {"q": "fila", "tenant": "x"}).status_code == 422


def test_a_search_costs_a_bounded_number_of_queries(tenant: Tenant, auditor: Browser) -> None:
    for number in range(3):
        factories.a_proposal(tenant, title=f"Ampliar o disco {number}")
    with CaptureQueriesContext(connection) as queries:
        auditor.read("/busca/?q=ampliar")
    assert len(queries) < MAX_QUERIES
