"""An emergency stop, as an approver presses it and an admin lifts it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from opspilot.bootstrap.instance import Instance
from tests.web.people import Person

pytestmark = pytest.mark.browser
STRIP = "Parada de emergência em vigor."


@pytest.fixture
def another(console: Instance, chromium: Browser) -> Iterator[Person]:
    person = Person(chromium, console)
    yield person
    person.leave()


def test_one_press_stops_every_page_says_so_and_an_admin_lifts_it(
    visitor: Person, another: Person
) -> None:
    approver = visitor.log_in("aprovador1.boreal")
    approver.open("/")
    approver.press("Paradas de emergência")
    approver.page.get_by_label("O que parar").select_option("conector:semaphore")
    approver.page.get_by_label("Por que parar").fill("Tarefas rodando fora da janela.")
    approver.press("Parar agora")
    expect(approver.page.locator(".head .state")).to_have_text("em vigor")
    expect(approver.main).to_contain_text("Um admin levanta a parada.")
    stop = approver.page.url
    approver.open("/aprovacoes/")
    expect(approver.main).to_contain_text(STRIP)
    expect(approver.main).to_contain_text("Tarefas rodando fora da janela")
    admin = another.log_in("admin1.boreal")
    admin.page.goto(stop)
    admin.page.get_by_label("Por que levantar").fill("A janela foi corrigida na política.")
    admin.press("Levantar a parada")
    expect(admin.page.locator(".head .state")).to_have_text("levantada")
    expect(admin.main).not_to_contain_text(STRIP)
    assert approver.complaints == admin.complaints == []
