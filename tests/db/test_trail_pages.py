"""What the pages of the trail show of a row, and that reading them is a row too."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import Any

import pytest

from audit import trail
from audit.models import AgenteAcao, Entity
from audit.vocabulary import Authorization, Result
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.browsing import Browser, a_browser

pytestmark = pytest.mark.usefixtures("committed")

PASSAGES = [
    {"trecho": 31, "versao": 12, "sha256": "a"},
    {"trecho": 32, "versao": 12, "sha256": "b"},
    {"trecho": 44, "versao": 9, "sha256": "c"},
    {"trecho": 44, "versao": 9, "sha256": "c"},
]


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def auditor(tenant: Tenant) -> Browser:
    return a_browser(tenant, Role.AUDITOR)


def an_effect(tenant: Tenant, **values: Any) -> str:
    """A row about a customer; the address of the customer's history."""
    with tenant_scope(tenant.pk):
        entity = Entity.objects.create(
            tenant_id=tenant.pk, type="cliente", title="CPF ***", document_hash=uuid.uuid4().hex
        )
        row: dict[str, Any] = {
            "correlacao_id": uuid.uuid4(),
            "acao": "issue.criada",
            "resultado": Result.OK,
            "autorizacao": Authorization.HUMANA,
            "entidade_tipo": "cliente",
            "entidade_id": str(entity.ref),
        }
        trail.record(trail.Entry(**row | values))
    return f"/trilha/entidades/cliente/{entity.ref}/"


def test_the_passages_an_effect_rests_on_are_counted_with_their_versions(
    tenant: Tenant, auditor: Browser
) -> None:
    page = auditor.read(an_effect(tenant, fontes=PASSAGES))
    assert "3 trechos (versões de id 12, 9)" in page


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        (Decimal(0), "sem custo"),
        (Decimal("12.5"), "custo: R$ 0,1250"),
        (Decimal(250), "custo: R$ 2,50"),
        (None, "custo: não informado"),
    ],
)
def test_the_cost_of_an_effect_is_said(
    tenant: Tenant, auditor: Browser, cost: Decimal | None, words: str
) -> None:
    assert words in auditor.read(an_effect(tenant, custo_exato=cost))


def test_what_an_effect_is_undone_at_is_a_link_with_its_host_and_path(
    tenant: Tenant, auditor: Browser
) -> None:
    url = "https://gitlab.example/aurora/infra/-/issues/7?x=1"
    page = auditor.read(an_effect(tenant, reversivel=True, reversao_ref=url))
    assert f'<a href="{url}">gitlab.example/aurora/infra/-/issues/7</a>' in page


@pytest.mark.parametrize(
    "reference", ["javascript:alert(1)", "http:sem-host", "http://[x", "issue 7"]
)
def test_a_reference_that_is_no_web_address_stays_text(
    tenant: Tenant, auditor: Browser, reference: str
) -> None:
    page = auditor.read(an_effect(tenant, reversao_ref=reference))
    assert reference in page
    assert f'href="{reference}' not in page


def test_reading_a_run_is_a_row_of_its_own_that_says_which(
    tenant: Tenant, auditor: Browser
) -> None:
    run = uuid.uuid4()
    an_effect(tenant, correlacao_id=run)
    assert auditor.status(f"/trilha/correlacao/{run}/") == 200
    with tenant_scope(tenant.pk):
        row = AgenteAcao.objects.get(acao="historico.lido")
    assert (row.entidade_id, row.saida_resumo) == (None, f"rodada {run}")
    assert row.correlacao_id != run
    assert auditor.read(f"/trilha/correlacao/{run}/").count("Histórico lido") == 0


def test_a_history_longer_than_a_page_leads_to_the_older_rows(
    tenant: Tenant, auditor: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.views.PAGE", 1)
    page = auditor.read(an_effect(tenant))
    assert 'href="?antes=' in page
    assert "Mais antigas" in page
