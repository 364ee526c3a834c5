"""Views of the queue kept by a person, by mouse and keyboard; and the charts of its health."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from opspilot.bootstrap.instance import Instance
from tests.web import queueing
from tests.web.people import Person

pytestmark = pytest.mark.browser


@pytest.fixture
def decider(console: Instance, chromium: Browser, stranger: Person, model: str) -> Iterator[Person]:
    with queueing.waiting(console, "boreal", model, 3):
        person = Person(chromium, console, like=stranger)
        yield person
        person.leave()


def test_a_view_is_kept_opened_first_and_deleted(decider: Person, operador: Person) -> None:
    decider.open("/aprovacoes/?fila=todas&risco=baixo")
    decider.page.get_by_role("link", name="Guardar esta visão").click()
    expect(decider.main).to_contain_text("Todas · Risco: baixo")
    decider.page.get_by_label("Nome da visão", exact=True).fill("Rotina")
    decider.page.keyboard.press("Control+Enter")
    expect(decider.page.locator(".chip.on", has_text="Rotina")).to_be_visible()
    assert decider.path == "/aprovacoes/?fila=todas&risco=baixo"
    decider.open("/aprovacoes/visoes/")
    decider.press("Abrir primeiro")
    decider.open("/aprovacoes/")
    assert decider.path == "/aprovacoes/?fila=todas&risco=baixo"
    decider.page.get_by_role("link", name="Para mim").click()
    expect(decider.page.locator("nav.tabs [aria-current]")).to_contain_text("Para mim")
    decider.open("/aprovacoes/visoes/")
    decider.press("Apagar")
    expect(decider.main).to_contain_text("Nenhuma visão guardada")
    operador.open("/aprovacoes/visoes/")
    expect(operador.main).to_contain_text("Nenhuma visão guardada")


@pytest.mark.parametrize("width", [320, 1280])
def test_the_charts_have_their_tables_and_fit(decider: Person, width: int) -> None:
    decider.open("/aprovacoes/saude/?dias=90")
    decider.page.set_viewport_size({"width": width, "height": 800})
    charts = decider.page.locator("table.chart")
    expect(charts.first).to_contain_text("menos de 1 h")
    expect(charts.first.locator("svg.bar rect").first).to_be_visible()
    assert decider.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
