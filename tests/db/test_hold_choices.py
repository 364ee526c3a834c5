"""What a legal hold covers is chosen, what it keeps is said, and a short rule is warned of."""

from __future__ import annotations

import uuid

import pytest

from audit import entities
from audit.models import AgenteAcao, LegalHold
from audit.months import holds, page
from audit.months.calendar import first_of, moved
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import months
from tests.db.browsing import as_

pytestmark = pytest.mark.django_db
PAGE = "/trilha/retencao/"
WHY = "Pedido do jurídico 3/2026."
SHORT = "Abaixo de 60 meses"
STAYS = "não sai: guarda legal em vigor"
YEARS_AGO = -240


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def keeper(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.CONFORMIDADE)


def held_by(keeper: Principal, **values: str) -> list[str]:
    """What is held after that was sent from the page."""
    as_(keeper).send(f"{PAGE}guardar/", motivo_guarda=WHY, **values)
    with tenant_scope(keeper.tenant_id):
        return list(LegalHold.objects.values_list("entity_ref", flat=True))


@pytest.mark.parametrize("scope", ["", "cliente"])
def test_an_empty_document_never_holds_the_whole_company(keeper: Principal, scope: str) -> None:
    assert held_by(keeper, alcance=scope, documento="") == []


def test_the_whole_company_is_held_where_that_is_chosen(keeper: Principal) -> None:
    assert held_by(keeper, alcance="todos", documento="") == [""]


def test_the_whole_company_is_not_held_beside_a_document(keeper: Principal) -> None:
    assert held_by(keeper, alcance="todos", documento=factories.CPF) == []


def test_no_scope_of_a_hold_is_chosen_beforehand(keeper: Principal) -> None:
    form = as_(keeper).read(PAGE).partition('name="alcance"')[2].partition("</fieldset>")[0]
    assert 'value="todos"' in form
    assert "checked" not in form


def test_a_rule_that_is_short_for_incidents_wants_a_box_ticked(tenant: Tenant) -> None:
    first, second = (as_(factories.a_principal(tenant, Role.ADMIN)) for _ in range(2))
    rule = {"meses": "59", "base": "Política 7/2026", "motivo": "Prazo do contrato."}
    first.just_proved()
    assert SHORT in first.send(f"{PAGE}propor/", **rule)
    assert SHORT not in second.read(PAGE)
    assert "Ativar esta regra" not in second.read(PAGE)
    first.send(f"{PAGE}propor/", **rule, curta="on")
    assert SHORT in second.read(PAGE)
    assert "Ativar esta regra" in second.read(PAGE)


def test_a_hold_on_the_company_keeps_the_months_with_its_rows_until_it_is_lifted(
    tenant: Tenant, keeper: Principal
) -> None:
    months.a_rule(tenant)
    with tenant_scope(tenant.pk):
        month = first_of(AgenteAcao.objects.earliest("ocorrido_em").ocorrido_em)
        assert not holds.keeps(month=month)
        hold = holds.place(person=keeper, entity=None, reason=WHY)
        assert holds.keeps(month=month)
        assert not holds.keeps(month=moved(month, YEARS_AGO))
        holds.lift(hold=hold, person=keeper, reason="O pedido terminou.")
        assert not holds.keeps(month=month)


def test_a_hold_on_a_customer_keeps_the_months_of_its_runs_and_no_others(
    tenant: Tenant, keeper: Principal
) -> None:
    document = entities.parse_document(factories.CPF)
    with tenant_scope(tenant.pk):
        entity = entities.resolve(principal=keeper, document=document, correlation_id=uuid.uuid4())
        month = first_of(AgenteAcao.objects.earliest("ocorrido_em").ocorrido_em)
        holds.place(person=keeper, entity=entity, reason=WHY)
        assert holds.keeps(month=month)
        assert not holds.keeps(month=moved(month, YEARS_AGO))


@pytest.mark.parametrize("kept", [True, False])
def test_of_a_held_month_no_day_is_said_on_which_it_may_go(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch, *, kept: bool
) -> None:
    months.a_rule(tenant)
    monkeypatch.setattr(holds, "keeps", lambda *, month: kept)
    with tenant_scope(tenant.pk):
        said = [fact.value for fact in page.build().facts]
    assert (STAYS in said) is kept
