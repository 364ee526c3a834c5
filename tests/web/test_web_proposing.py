from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web import acts
from tests.web.people import Person

pytestmark = pytest.mark.browser


@pytest.fixture
def reviewing(operador: Person) -> Person:
    """The operador before the review of a text full of what GitLab would act on."""
    acts.open_command(operador)
    acts.fill_in(operador, title="Fila parada", description=acts.ACTIVE)
    operador.press("Revisar")
    return operador


def test_a_proposal_starts_from_the_answer(operador: Person, answered: str) -> None:
    operador.open(answered)
    operador.press("Preparar proposta")
    page = operador.page
    expect(page.get_by_label("Projeto")).to_have_value("pagamentos")
    expect(page.get_by_label("Título")).to_have_value("Liquidação: fila parada")
    assert "## Fontes\n- Liquidação: fila parada" in page.get_by_label("Descrição").input_value()


def test_the_review_shows_the_text_made_inert(reviewing: Person) -> None:
    expect(reviewing.main).to_contain_text("Parte do texto foi neutralizada.")
    body = reviewing.main.locator("[aria-labelledby=h-oque] pre").inner_text()
    assert "\\/close\n@ plantao veja !\\[x] (http: //imagem.example/a.png) \\<b>já\\</b>" in body


def test_going_back_to_correct_keeps_what_was_written(reviewing: Person) -> None:
    reviewing.press("Corrigir")
    expect(reviewing.page.get_by_label("Título")).to_have_value("Fila parada")
    expect(reviewing.page.get_by_label("Por que isto precisa ser feito")).to_have_value(acts.REASON)


def test_going_back_asks_again_for_the_number_that_is_not_kept(operador: Person) -> None:
    acts.open_command(operador)
    acts.fill_in(operador, title="Ver a baixa", description="Ver.", document=acts.CUSTOMER)
    operador.press("Revisar")
    operador.press("Corrigir")
    expect(operador.main).to_contain_text("Digite de novo o CPF ou CNPJ do cliente.")
    expect(operador.page.get_by_label("CPF ou CNPJ do cliente")).to_have_value("")


def test_confirming_puts_the_proposal_in_the_queue_undecided(reviewing: Person) -> None:
    reviewing.press("Confirmar e pedir aprovação")
    expect(reviewing.page.locator("#andamento .head .state")).to_have_text("pendente")


def test_the_requester_may_cancel_and_not_decide(operador: Person, pending: str) -> None:
    operador.open(pending)
    expect(operador.main).to_contain_text("Você pediu esta ação: outra pessoa decide.")
    assert operador.main.locator("a[href*='decidir=']").count() == 0
    operador.press("Cancelar pedido")
    expect(operador.main).to_contain_text("Pedido cancelado. Nada será executado.")
    expect(operador.page.locator("#andamento .head .state")).to_have_text("cancelada")


def test_an_approver_decides_no_request_of_their_own(aprovador: Person) -> None:
    own = acts.command(aprovador, title="Pedido de um aprovador")
    aprovador.open(own + "?decidir=aprovar")
    assert aprovador.main.get_by_role("button", name="Confirmar aprovação").count() == 0
    aprovador.press("Cancelar pedido")
