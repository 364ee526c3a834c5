"""Case 8: what somebody sees stands in the address, and nothing personal does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, expect

from opspilot.bootstrap.instance import Instance
from tests.web import queueing
from tests.web.people import Person

pytestmark = pytest.mark.browser

SHOWN = 30
NARROWED = "/aprovacoes/?fila=todas&risco=baixo&alvo=redes&cobertura=nenhuma"
PERSONAL = re.compile(
    r"@|\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?!\d)|operador|aprovador|boreal|aurora", re.IGNORECASE
)
_CLOCKS = re.compile(r"\d\d:\d\d(:\d\d)?|em \d[^\n]*")
_STORED = "() => JSON.stringify([{...localStorage}, {...sessionStorage}])"


@pytest.fixture
def queue(console: Instance, model: str) -> Iterator[list[str]]:
    with queueing.waiting(console, "boreal", model, SHOWN) as paths:
        yield paths


@pytest.fixture
def decider(console: Instance, chromium: Browser, stranger: Person) -> Iterator[Person]:
    person = Person(chromium, console, like=stranger)
    yield person
    person.leave()


@pytest.fixture
def colleague(console: Instance, chromium: Browser) -> Iterator[Person]:
    person = Person(chromium, console).log_in("aprovador2.boreal")
    yield person
    person.leave()


def read(person: Person, path: str) -> str:
    """The page's words without its clocks."""
    person.open(path)
    return _CLOCKS.sub("", person.main.inner_text())


def test_an_address_shows_a_colleague_the_same_page(
    decider: Person, colleague: Person, queue: list[str]
) -> None:
    strip = f"{queue[1]}?risco=baixo&decidir=recusar"
    for path in (NARROWED, "/aprovacoes/?risco=alto", f"{queue[1]}?risco=baixo", strip):
        assert read(decider, path) == read(colleague, path), path


def test_choosing_filters_makes_an_address_and_each_can_be_taken_away(
    decider: Person, queue: list[str]
) -> None:
    decider.open("/aprovacoes/?fila=todas")
    decider.page.locator("summary.chip").click()
    decider.page.get_by_label("Risco").select_option("baixo")
    decider.page.get_by_label("Projeto").select_option("redes")
    decider.press("Filtrar")
    expect(decider.page.locator(".chip.on")).to_have_text(
        ["Risco: baixo remover filtro", "Projeto: redes remover filtro"]
    )
    assert {"fila=todas", "risco=baixo", "alvo=redes"} <= set(decider.path[13:].split("&"))
    decider.page.locator(".chip.on").first.click()
    expect(decider.page).to_have_url(f"{decider.url}/aprovacoes/?fila=todas&alvo=redes")


def test_back_restores_the_filter_the_selected_row_and_the_place(
    decider: Person, queue: list[str]
) -> None:
    decider.open("/aprovacoes/?risco=baixo")
    for _press in range(20):
        decider.page.keyboard.press("j")
    scroll = decider.page.evaluate("() => scrollY")
    assert scroll > 0
    decider.page.keyboard.press("Enter")
    expect(decider.page.locator("h1")).to_be_focused()
    assert "20 de 30" in decider.main.inner_text()
    decider.page.go_back()
    row = decider.page.locator("[data-row]").nth(19)
    expect(row).to_be_focused()
    expect(row).to_be_in_viewport()
    assert decider.path.startswith("/aprovacoes/?risco=baixo#")


def test_back_and_forward_close_and_open_the_strip(decider: Person, queue: list[str]) -> None:
    decider.open(queue[0])
    decider.page.keyboard.press("r")
    expect(decider.page.locator("#h-confirmar")).to_be_focused()
    assert decider.path == f"{queue[0]}?decidir=recusar"
    decider.page.go_back()
    expect(decider.page.locator("[aria-keyshortcuts=a]")).to_be_visible()
    expect(decider.page.locator("form.confirm")).to_have_count(0)
    decider.page.go_forward()
    expect(decider.page.locator("#h-confirmar")).to_be_focused()
    decider.page.reload()
    expect(decider.page.locator("#h-confirmar")).to_be_focused()


def test_j_and_k_walk_the_narrowed_queue_and_escape_returns_to_its_row(
    decider: Person, queue: list[str]
) -> None:
    decider.open(f"{queue[1]}?risco=baixo")
    decider.page.keyboard.press("j")
    expect(decider.page.locator(".crumb")).to_contain_text("3 de 30")
    decider.page.keyboard.press("k")
    expect(decider.page.locator(".crumb")).to_contain_text("2 de 30")
    decider.page.keyboard.press("Escape")
    expect(decider.page.locator(f"[data-row][href^='{queue[1]}']")).to_be_focused()
    assert decider.path.startswith("/aprovacoes/?risco=baixo#")


def test_the_address_of_another_company_is_one_that_does_not_exist(
    aprovador: Person, decider: Person, queue: list[str]
) -> None:
    decider.open(f"{queue[0]}?decidir=aprovar")
    answers = []
    for ref in (queue[0].split("/")[2], "00000000-0000-4000-8000-000000000000"):
        status = aprovador.open(f"/aprovacoes/{ref}/?decidir=aprovar").status
        words = re.sub(r"[0-9a-f]{32}", "", aprovador.main.locator(".empty").inner_text())
        answers.append((status, words))
    assert answers[0][0] == 404
    assert answers[0] == answers[1]


def test_no_address_and_no_storage_of_the_browser_names_a_person(
    decider: Person, queue: list[str]
) -> None:
    decider.open("/aprovacoes/?fila=todas")
    decider.page.locator("summary.chip").click()
    decider.page.get_by_label("Pedida por").select_option(label="operador 1")
    decider.press("Filtrar")
    expect(decider.page.locator(".chip.on")).to_contain_text("Pedida por: operador 1")
    decider.page.keyboard.press("j")
    decider.page.keyboard.press("Enter")
    expect(decider.page.locator("h1")).to_be_focused()
    decider.page.goto(f"{queue[0]}?por=usuario-1")
    decider.open(queue[0])
    decider.page.keyboard.press("a")
    expect(decider.page.locator("#h-confirmar")).to_be_focused()
    decider.page.keyboard.press("Control+Enter")
    expect(decider.main).to_contain_text("Aprovada às")
    asked = [unquote(url.removeprefix(decider.url)) for url in decider.requested]
    assert [url for url in asked if PERSONAL.search(url)] == []
    assert not PERSONAL.search(str(decider.page.evaluate(_STORED)))
