"""Case 4: two hundred new items move nothing that somebody is reading or writing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from opspilot.bootstrap.instance import Instance
from tests.web import queueing
from tests.web.people import Person

pytestmark = pytest.mark.browser

SHOWN = 30
NEW = 200
TICK = 6_000  # one pace of the ticker and a little
_STATE = """() => {
  const e = document.activeElement, box = e.getBoundingClientRect();
  return { scroll: scrollY, focus: e.id, top: box.top, selected: `${getSelection()}`,
           typed: e.value ?? "", caret: e.selectionStart ?? -1 };
}"""
_SELECT = """(selector) => getSelection().selectAllChildren(document.querySelector(selector))"""
_HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
}"""


class Reader:
    """Somebody at the list, whose page's clock is turned by hand."""

    def __init__(self, person: Person) -> None:
        self.person, self.page = person, person.page
        self.page.clock.install()

    def state(self) -> dict[str, Any]:
        return dict(self.page.evaluate(_STATE))

    def wait(self, milliseconds: int = TICK) -> None:
        self.page.clock.run_for(milliseconds)

    def asked(self, milliseconds: int) -> list[str]:
        """What the page asks of the server while this time passes."""
        before = len(self.person.requested)
        self.wait(milliseconds)
        self.page.wait_for_timeout(200)
        return [url for url in self.person.requested[before:] if "/static/" not in url]

    def focus_row(self, number: int) -> None:
        for _press in range(number):
            self.page.keyboard.press("j")


@pytest.fixture
def queue(console: Instance, model: str) -> Iterator[list[str]]:
    with queueing.waiting(console, "boreal", model, SHOWN) as paths:
        yield paths


@pytest.fixture
def reader(
    console: Instance, chromium: Browser, stranger: Person, queue: list[str]
) -> Iterator[Reader]:
    person = Person(chromium, console, like=stranger)
    found = Reader(person)
    person.open("/aprovacoes/")
    yield found
    person.leave()


def test_the_selected_row_stays_under_the_eye_and_one_bar_counts(
    console: Instance, reader: Reader, model: str
) -> None:
    reader.focus_row(20)
    before = reader.state()
    assert before["scroll"] > 0
    queueing.copies(console, "boreal", model, NEW)
    reader.wait()
    expect(reader.page.locator(".fresh")).to_have_text([f"{NEW} novas: mostrar"])
    assert reader.state() == before
    assert reader.page.locator("tbody tr").count() == SHOWN
    reader.page.locator(".fresh a").click()
    expect(reader.page.locator("tbody tr")).to_have_count(50)


def test_the_bar_says_what_somebody_else_decided_meanwhile(
    console: Instance, reader: Reader, chromium: Browser, model: str, queue: list[str]
) -> None:
    other = Person(chromium, console).log_in("aprovador2.boreal")
    other.open(f"{queue[3]}?decidir=aprovar")
    other.page.keyboard.press("Control+Enter")
    expect(other.main).to_contain_text("Aprovada às")
    queueing.copies(console, "boreal", model, 3)
    reader.wait()
    expect(reader.page.locator(".fresh")).to_have_text("3 novas, 1 já saiu: mostrar")
    assert reader.page.locator("tbody tr").count() == SHOWN
    other.leave()


def test_the_bar_comes_where_its_line_already_was(
    console: Instance, reader: Reader, model: str
) -> None:
    top = "() => document.querySelector('tbody').getBoundingClientRect().top"
    before = reader.page.evaluate(top)
    queueing.copies(console, "boreal", model, 1)
    reader.wait()
    expect(reader.page.locator(".fresh")).to_have_text("1 nova: mostrar")
    assert reader.page.evaluate(top) == before


def test_a_selection_of_text_is_kept_and_asks_nothing(
    console: Instance, reader: Reader, model: str
) -> None:
    reader.page.evaluate(_SELECT, "tbody tr:nth-child(4) th")
    before = reader.state()
    assert "Criar issue" in before["selected"]
    queueing.copies(console, "boreal", model, NEW)
    assert reader.asked(30_000) == []
    assert reader.state() == before


def test_an_open_list_of_filters_asks_nothing(reader: Reader) -> None:
    reader.page.locator("summary.chip").focus()
    reader.page.keyboard.press("Enter")
    assert reader.asked(30_000) == []


def test_a_half_written_reason_is_not_disturbed(
    console: Instance, reader: Reader, model: str, queue: list[str]
) -> None:
    reader.person.open(f"{queue[0]}?decidir=recusar")
    reader.page.get_by_label("Motivo").press_sequentially("Falta a janela")
    reader.page.keyboard.press("ArrowLeft")
    before = reader.state()
    queueing.copies(console, "boreal", model, NEW)
    assert reader.asked(30_000) == []
    assert reader.state() == before
    assert before["typed"] == "Falta a janela"


def test_a_hidden_page_asks_nothing_and_asks_at_once_when_it_is_seen_again(
    reader: Reader,
) -> None:
    reader.page.evaluate(_HIDE, True)
    assert reader.asked(600_000) == []
    reader.page.evaluate(_HIDE, False)
    assert len(reader.asked(1_500)) == 1


def test_the_page_asks_every_five_seconds_and_once_a_minute_when_nobody_acts(
    reader: Reader,
) -> None:
    reader.page.keyboard.press("j")
    assert sum(len(reader.asked(5_000)) for _tick in range(6)) in {6, 7}
    reader.wait(120_000)
    assert sum(len(reader.asked(20_000)) for _third in range(9)) in {3, 4}
