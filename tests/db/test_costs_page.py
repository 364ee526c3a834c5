"""`/trilha/custos/`: what each agent cost each day, drawn and in tables, never less than is known."""

from __future__ import annotations

from decimal import Decimal

import pytest

from audit.models import AgenteAcao
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.browsing import Browser, a_browser
from tests.db.querying import a_row

pytestmark = pytest.mark.usefixtures("committed")
COSTS = "/trilha/custos/"


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def auditor(tenant: Tenant) -> Browser:
    return a_browser(tenant, Role.AUDITOR)


def words(page: str) -> str:
    return page.replace("\xa0", " ")


def test_an_agent_has_its_chart_its_table_and_its_sum(tenant: Tenant, auditor: Browser) -> None:
    for centavos in (1234, 66):
        a_row(tenant, agente="agente-a", custo_exato=Decimal(centavos))
    page = words(auditor.read(COSTS))
    assert "agente-a: R$ 13,00" in page
    assert 'class="plot"' in page
    assert "Ver em tabela" in page


def test_a_cost_that_nobody_reported_makes_the_sum_a_floor(
    tenant: Tenant, auditor: Browser
) -> None:
    a_row(tenant, agente="agente-a", custo_exato=Decimal(1300))
    a_row(tenant, agente="agente-a", custo_exato=None)
    page = words(auditor.read(COSTS))
    assert "agente-a: pelo menos R$ 13,00" in page
    assert "1 linha não informa o custo" in page


def test_an_agent_that_cost_nothing_is_in_the_table_without_a_chart(
    tenant: Tenant, auditor: Browser
) -> None:
    a_row(tenant, agente="agente-a", custo_exato=Decimal(0))
    page = auditor.read(COSTS)
    assert "agente-a" in page
    assert 'class="plot"' not in page


def test_no_row_is_an_answer(auditor: Browser) -> None:
    assert "Nada foi encontrado" in auditor.read(f"{COSTS}?de=2026-01-01&ate=2026-01-31")


def test_a_wrong_day_is_told_at_its_field(auditor: Browser) -> None:
    page = auditor.read(f"{COSTS}?periodo=intervalo&de=2026-02-02&ate=2026-02-01")
    assert "O último dia vem antes do primeiro." in page


def test_reading_the_costs_is_a_row_of_the_trail(tenant: Tenant, auditor: Browser) -> None:
    auditor.read(COSTS)
    with tenant_scope(tenant.pk):
        row = AgenteAcao.objects.get(acao="historico.lido")
    assert row.fontes[0]["consulta"] == "custo-por-agente-e-dia"


def test_who_may_not_read_the_trail_sees_no_costs(tenant: Tenant) -> None:
    assert a_browser(tenant, Role.OPERADOR).status(COSTS) == 403


def test_an_admin_writes_a_price_and_everybody_who_reads_costs_sees_it(
    tenant: Tenant, auditor: Browser
) -> None:
    said = {"modelo": "modelo-a", "desde": "2026-01-01", "entrada": "1,5", "saida": "6"}
    a_browser(tenant, Role.ADMIN).send(f"{COSTS}precos/", **said)
    page = auditor.read(COSTS)
    assert "modelo-a" in page
    assert ">1,5<" in page
    with tenant_scope(tenant.pk):
        assert AgenteAcao.objects.filter(acao="preco.registrado").count() == 1


def test_a_price_below_nothing_is_not_taken_and_what_was_typed_stays(tenant: Tenant) -> None:
    said = {"modelo": "modelo-a", "desde": "2026-01-01", "entrada": "-1", "saida": "6"}
    page = a_browser(tenant, Role.ADMIN).send(f"{COSTS}precos/", **said)
    assert 'value="modelo-a"' in page
    assert "Nenhum preço registrado" in page


def test_only_an_admin_writes_prices(tenant: Tenant, auditor: Browser) -> None:
    assert "Registrar preço" not in auditor.read(COSTS)
    assert auditor.client.post(f"{COSTS}precos/", {"modelo": "x"}).status_code == 403
