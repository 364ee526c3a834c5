from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from opspilot.bootstrap.instance import Instance
from tests.web import acts
from tests.web.people import Person

pytestmark = pytest.mark.browser


def test_a_question_shows_where_it_stands_and_then_its_answer(
    operador: Person, console: Instance, answered: str
) -> None:
    with acts.worker_held(console):
        acts.send_question(operador, acts.ANSWERABLE)
        expect(operador.main.locator(".steps [aria-current]")).to_have_text("na fila")
        operador.page.evaluate("() => { window.stayed = true; }")
    expect(operador.main.get_by_role("heading", name="Resposta")).to_be_focused(timeout=20_000)
    expect(operador.page.locator("#aviso")).to_have_text("A resposta chegou.")
    expect(operador.main.locator(".timeline li")).to_contain_text(["Runbooks consultados"])
    assert operador.page.evaluate("() => window.stayed") is True


def test_every_sentence_of_an_answer_carries_its_citation(operador: Person, answered: str) -> None:
    operador.open(answered)
    sentences = operador.main.locator(".answer .read p")
    assert sentences.count() >= 1
    assert sentences.count() == operador.main.locator(".answer .read p .ref").count()
    expect(operador.main.locator(".sources")).to_contain_text("Liquidação: fila parada")


def test_a_citation_opens_beside_the_answer_and_escape_closes_it(
    operador: Person, answered: str
) -> None:
    operador.open(answered)
    sentence = operador.main.locator(".answer .read p").first
    said = sentence.locator("code").first.inner_text()
    sentence.locator(".ref").click()
    expect(operador.main.locator(".panel mark")).to_contain_text(said)
    expect(operador.main.locator(".panel h2")).to_be_focused()
    expect(operador.main.locator(".answer")).to_be_visible()
    operador.page.keyboard.press("Escape")
    expect(operador.main.locator(".panel")).to_have_count(0)
    assert operador.path == answered


def test_on_a_narrow_screen_the_citation_stands_in_the_answer_s_place(
    operador: Person, answered: str
) -> None:
    operador.page.set_viewport_size({"width": 390, "height": 800})
    try:
        operador.open(f"{answered}?citacao=1")
        expect(operador.main.locator(".panel mark")).to_be_in_viewport()
        expect(operador.main.locator(".answer")).to_be_hidden()
    finally:
        operador.page.set_viewport_size({"width": 1280, "height": 800})


def test_a_citation_leads_to_the_whole_runbook_at_the_marked_passage(
    operador: Person, answered: str
) -> None:
    operador.open(f"{answered}?citacao=1")
    said = operador.main.locator(".panel mark").inner_text()
    operador.press("Abrir o runbook inteiro")
    marked = operador.main.locator("mark#trecho")
    expect(marked).to_be_in_viewport()
    assert marked.inner_text().split() == said.split()


def test_steps_are_given_from_the_first_one(operador: Person, answered: str) -> None:
    operador.open(answered)
    texts = operador.main.locator(".answer .read p").all_inner_texts()
    numbers = [int(text.partition(".")[0]) for text in texts if text[0].isdigit()]
    assert numbers[0] == 1
    assert all(n == 1 or n == before + 1 for before, n in pairwise(numbers))


def test_an_abstention_is_calm_and_says_what_is_near(operador: Person, abstained: str) -> None:
    operador.open(abstained)
    expect(operador.main).to_contain_text("Não encontrei base nos seus runbooks")
    expect(operador.main).to_contain_text("Títulos mais próximos")
    visible = operador.main.locator("[role=alert]:visible, [data-state=failed]:visible")
    assert visible.all_inner_texts() == []


def test_an_abstention_offers_no_proposal(operador: Person, abstained: str) -> None:
    operador.open(abstained)
    assert operador.main.get_by_role("link", name="Preparar proposta").count() == 0
