"""The page of standing permissions, as an admin works on it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.people import Person

pytestmark = pytest.mark.browser
AGENT, INDEX = "agente-atendimento", "/politicas/permissoes/"


@pytest.fixture
def with_agent(visitor: Person) -> Person:
    """The admin, just logged in, of a company whose agent the policy lets ask for refunds."""
    admin = visitor.log_in("admin1.aurora")
    admin.open("/agentes/")
    if AGENT not in admin.main.inner_text():
        admin.open("/agentes/novo/")
        admin.page.locator("[name=nome_curto]").fill(AGENT)
        admin.page.locator("[name=nome]").fill("Agente de atendimento")
        admin.page.locator("[name=finalidade]").fill("Estorna cobranças em dobro.")
        admin.page.locator("[name=responsavel]").select_option(label="operador 1")
        admin.main.locator("button[type=submit]").last.click()
        expect(admin.page).not_to_have_url(f"{admin.url}/agentes/novo/")
    admin.open("/politicas/")
    admin.press("Permissões permanentes")
    return admin


def fill_in(person: Person, *, ceiling: str) -> None:
    page = person.page
    page.get_by_label("Agente e ação").select_option(f"{AGENT}:estorno.emitido")
    page.get_by_label("Teto de cada uso, em reais").fill(ceiling)
    page.get_by_label("Usos ao todo").fill("40")
    page.get_by_label("Usos na janela").fill("5")
    page.get_by_label("Dias até terminar").fill("30")
    page.get_by_label("Motivo").fill("Estornos pequenos do mesmo tipo.")


def test_an_admin_proposes_within_the_policy_s_ceiling_and_ends_it(with_agent: Person) -> None:
    admin, page = with_agent, with_agent.page
    fill_in(admin, ceiling="2000,01")
    admin.press("Propor")
    expect(admin.main).to_contain_text("Fora do que a política ou o limite permite.")
    expect(page.get_by_label("Motivo")).to_have_value("Estornos pequenos do mesmo tipo.")
    page.get_by_label("Teto de cada uso, em reais").fill("500,00")
    admin.press("Propor")
    expect(page.locator(".head .state")).to_have_text("espera outro admin")
    expect(admin.main).to_contain_text("Envie a outro admin o endereço desta página.")
    page.get_by_label("Por que encerrar").fill("Proposta só para experimentar.")
    admin.press("Encerrar esta permissão")
    expect(page.locator(".head .state")).to_have_text("descartada")
    admin.open(INDEX)
    expect(admin.main.locator("table")).to_contain_text("descartada")
    assert admin.complaints == []
