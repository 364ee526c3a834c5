from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from opspilot.bootstrap.instance import Instance
from tests.web import acts
from tests.web.people import Person

pytestmark = pytest.mark.browser


@pytest.fixture
def without_script(console: Instance, chromium: Browser, auditor: Person) -> Iterator[Person]:
    person = Person(chromium, console, script=False, like=auditor)
    yield person
    person.leave()


def search(person: Person, text: str) -> None:
    person.page.locator("header [role=search] [name=q]:visible").fill(text)
    person.page.keyboard.press("Enter")


def test_the_slash_opens_the_box_and_enter_searches(auditor: Person, answered: str) -> None:
    auditor.open("/")
    auditor.page.keyboard.press("/")
    auditor.page.keyboard.type("fila parada")
    auditor.page.keyboard.press("Enter")
    expect(auditor.main.get_by_role("link", name="Liquidação: fila parada").first).to_be_visible()
    assert auditor.path == "/busca/?q=fila+parada"


def test_a_document_number_is_found_without_script_and_stands_in_no_address(
    without_script: Person, executed: str
) -> None:
    without_script.open("/")
    search(without_script, acts.CUSTOMER)
    heading = without_script.main.get_by_role("heading", level=1)
    expect(heading).to_contain_text("***.982.247-**")
    digits = re.sub(r"\D", "", acts.CUSTOMER)
    assert [url for url in without_script.requested if digits in re.sub(r"\D", "", url)] == []


def test_an_operador_s_document_number_is_answered_calmly(operador: Person) -> None:
    operador.open("/")
    search(operador, acts.CUSTOMER)
    expect(operador.main).to_contain_text("é lido por quem abre a trilha")
    assert operador.path == "/busca/"
    assert operador.page.title().startswith("Busca · ")


def test_enter_on_the_dashboard_opens_the_first_of_the_queue(
    aprovador: Person, pending: str
) -> None:
    aprovador.open("/")
    first = aprovador.main.get_by_role("link", name="Abrir a primeira").get_attribute("href")
    aprovador.page.keyboard.press("Enter")
    aprovador.page.wait_for_url("**/aprovacoes/*/**")
    assert aprovador.path == first
