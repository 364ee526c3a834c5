"""The seven questions that a trail must answer, about one customer: from the dashboard, in at most
four interactions and twenty seconds."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from tests.web import acts
from tests.web.people import Person

pytestmark = pytest.mark.browser

CUSTOMER = "935.411.347-80"
MOST_INTERACTIONS, MOST_SECONDS = 4, 20
ANSWERS = {
    "what the agent did": "Issue criada",
    "about whom": "***.411.347-**",
    "by whose authority": "aprovação humana, aprovador 1, política",
    "on what it rests": "trecho",
    "by which model and instruction": "nenhum modelo · console@",
    "at what cost": "sem custo",
    "how it is undone": "sim, fechando a issue em",
}


class Interactions:
    """What a person does with their hands, counted."""

    def __init__(self, person: Person) -> None:
        self.person, self.count = person, 0

    def type(self, label: str, text: str) -> None:
        self.count += 1
        self.person.page.get_by_role("searchbox", name=label).first.fill(text)

    def key(self, name: str) -> None:
        self.count += 1
        self.person.page.keyboard.press(name)


@pytest.fixture
def answered_and_executed(admin: Person, operador: Person, aprovador: Person) -> None:
    """An effect about the customer that rests on a runbook."""
    acts.await_runbooks(admin)
    acts.ask(operador, acts.ANSWERABLE)
    operador.press("Preparar proposta")
    operador.choose("etiquetas", "incidente", "pagamentos")
    operador.choose("responsaveis", "plantao-pagamentos")
    acts.fill_in(operador, title="Rever a baixa parada", description="Conferir.", document=CUSTOMER)
    proposal = acts.confirm(operador)
    acts.approve(aprovador, proposal)
    acts.await_done(aprovador)


def test_the_seven_questions_are_answered_from_the_dashboard_in_four_interactions(
    auditor: Person, answered_and_executed: None
) -> None:
    auditor.open("/")
    begun, hands = time.monotonic(), Interactions(auditor)
    hands.type("Buscar", CUSTOMER)
    hands.key("Enter")
    story = auditor.main.locator(".story").filter(has_text="Issue criada").first
    expect(story).to_be_visible()
    page = auditor.main.inner_text()
    missing = {question for question, words in ANSWERS.items() if words not in page}
    took = time.monotonic() - begun
    print(f"{hands.count} interactions, {took:.1f} s")
    assert missing == set()
    assert hands.count <= MOST_INTERACTIONS
    assert took <= MOST_SECONDS


def test_a_history_fits_the_sheet_it_is_printed_on(auditor: Person, executed: str) -> None:
    auditor.open("/trilha/")
    auditor.page.get_by_label("CPF ou CNPJ").fill(acts.CUSTOMER)
    auditor.press("Abrir histórico")
    auditor.page.emulate_media(media="print")
    auditor.page.set_viewport_size({"width": 690, "height": 900})  # A4 without its margins
    expect(auditor.main.locator(".story").first).to_be_visible()
    expect(auditor.main.locator(".filters").first).to_be_hidden()
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert auditor.page.evaluate(wide) <= 0
