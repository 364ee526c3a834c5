from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web import acts
from tests.web.people import Person

pytestmark = pytest.mark.browser


def _look_up(auditor: Person, document: str) -> None:
    auditor.open("/trilha/")
    auditor.page.get_by_label("CPF ou CNPJ").fill(document)
    auditor.press("Abrir histórico")


def test_a_document_number_opens_the_history_of_the_customer(
    auditor: Person, executed: str
) -> None:
    _look_up(auditor, acts.CUSTOMER)
    expect(auditor.main.get_by_role("heading", level=1)).to_contain_text("***.982.247-**")
    story = auditor.main.locator(".story").first
    for line in ("Proposta preparada", "Aprovação concedida · aprovador 1", "Issue criada"):
        expect(story).to_contain_text(line)


def test_the_document_number_never_stands_in_an_address(auditor: Person, executed: str) -> None:
    _look_up(auditor, acts.CUSTOMER)
    digits = re.sub(r"\D", "", acts.CUSTOMER)
    assert re.search(r"/trilha/entidades/cliente/[0-9a-f-]{36}/$", auditor.path)
    assert [url for url in auditor.requested if digits in re.sub(r"\D", "", url)] == []


def test_a_document_nobody_acted_on_says_so_calmly(auditor: Person) -> None:
    _look_up(auditor, "111.444.777-35")
    expect(auditor.main).to_contain_text("Nenhum registro de CPF ***.444.777-**.")


def test_readings_of_a_history_do_not_bury_it(auditor: Person, executed: str) -> None:
    _look_up(auditor, acts.CUSTOMER)
    _look_up(auditor, acts.CUSTOMER)
    stories = auditor.main.locator(".story h3")
    expect(stories).not_to_have_text(["Histórico lido"])
    assert "Histórico lido" not in stories.all_inner_texts()
    auditor.press("leituras")
    expect(stories).to_have_text(["Histórico lido"])


def test_the_history_leads_to_every_line_of_the_run(auditor: Person, executed: str) -> None:
    _look_up(auditor, acts.CUSTOMER)
    auditor.main.get_by_role("link", name="Rodada inteira").first.click()
    expect(auditor.main.get_by_role("heading", level=1)).to_contain_text("Rodada")
    expect(auditor.main.get_by_role("table").first).to_contain_text("Issue criada")


def test_an_operador_has_no_trail(operador: Person) -> None:
    assert operador.open("/trilha/entidades/").status == 403
    expect(operador.main).to_contain_text("Seu papel não abre esta página")
