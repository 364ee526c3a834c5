"""Case 2: dictated, held or struck by accident, no letter decides anything."""

from __future__ import annotations

import string
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, expect

from opspilot.bootstrap.instance import Instance
from tests.web import acts, queueing
from tests.web.people import Person

pytestmark = pytest.mark.browser

KEYS = [key for key in string.printable if key.isprintable()]
DICTATED = "aprovar a proposta agora sim recusar r r a a confirmar decidir tudo"
_LEAVE_FIELD = """() => {
  if (document.activeElement.matches("input,textarea,select")) document.activeElement.blur();
}"""
_STOPS = """() => [...document.querySelectorAll(
  "a[href],button,input:not([type=hidden]),select,textarea,summary")].filter(
  (e) => e.checkVisibility({ visibilityProperty: true }) && e.tabIndex >= 0).length"""
_STOP = """() => { const e = document.activeElement; if (e === document.body) return "";
  e.dataset.reached ||= `${document.querySelectorAll("[data-reached]").length + 1}`;
  return e.dataset.reached; }"""


@pytest.fixture
def queue(console: Instance, model: str) -> Iterator[list[str]]:
    with queueing.waiting(console, "boreal", model, 3) as paths:
        yield paths


@pytest.fixture
def decider(console: Instance, chromium: Browser, stranger: Person) -> Iterator[Person]:
    person = Person(chromium, console, like=stranger)
    yield person
    person.leave()


@pytest.fixture
def without_shortcuts(console: Instance, decider: Person) -> Iterator[Person]:
    queueing.set_shortcuts(console, "aprovador1.boreal", on=False)
    yield decider
    queueing.set_shortcuts(console, "aprovador1.boreal", on=True)


def strike_all(person: Person, path: str) -> None:
    """Each printable key on the page as it opens; back to it whenever one led away."""
    person.open(path)
    for key in KEYS:
        person.page.keyboard.press(key)
        if not still_there(person, path):
            go_back_to(person, path)


def still_there(person: Person, path: str) -> bool:
    """Whether the key left the page as it was; out of a field, so that the next one is a key."""
    try:
        person.page.evaluate(_LEAVE_FIELD)
    except Error:  # the page went away meanwhile
        return False
    return person.path.partition("#")[0] == path


def go_back_to(person: Person, path: str) -> None:
    """Also while the key's own navigation is under way, which a browser lets win."""
    for _attempt in range(20):
        try:
            person.open(path)
        except Error:
            person.page.wait_for_load_state()
        else:
            return
    raise AssertionError(f"{path} did not open again")


def hold(person: Person, path: str) -> None:
    """Each letter that has a meaning, kept down until it repeats."""
    for key in "ard":
        person.open(path)
        for _repeat in range(5):
            person.page.keyboard.down(key)
        person.page.keyboard.up(key)


def test_no_printable_key_decides_on_the_list_or_the_page(
    console: Instance, decider: Person, queue: list[str]
) -> None:
    before = queueing.decisions(console, "boreal")
    for path in ("/aprovacoes/", queue[0]):
        strike_all(decider, path)
        hold(decider, path)
    assert queueing.decisions(console, "boreal") == before


def test_no_printable_key_decides_while_the_strip_is_open(
    console: Instance, decider: Person, queue: list[str]
) -> None:
    before = queueing.decisions(console, "boreal")
    for choice in ("aprovar", "recusar"):
        strike_all(decider, f"{queue[0]}?decidir={choice}")
    assert queueing.decisions(console, "boreal") == before


def test_a_dictated_sentence_decides_nothing(
    console: Instance, decider: Person, queue: list[str]
) -> None:
    before = queueing.decisions(console, "boreal")
    for path in ("/aprovacoes/", queue[0], f"{queue[0]}?decidir=recusar"):
        go_back_to(decider, path)  # "agora" has a g and an o: it leads to the policies
        decider.page.keyboard.type(DICTATED)
    assert queueing.decisions(console, "boreal") == before


def test_with_shortcuts_off_a_letter_does_nothing_at_all(
    console: Instance, without_shortcuts: Person, queue: list[str]
) -> None:
    before = queueing.decisions(console, "boreal")
    page = without_shortcuts.page
    for path in ("/aprovacoes/", queue[0]):
        without_shortcuts.open(path)
        expect(page.locator("html")).to_have_attribute("data-keys", "off")
        focused = page.evaluate("() => document.activeElement.tagName")
        for key in KEYS:
            page.keyboard.press(key)
        assert without_shortcuts.path == path
        assert page.evaluate("() => document.activeElement.tagName") == focused
    assert queueing.decisions(console, "boreal") == before


def test_with_shortcuts_off_tab_reaches_everything(
    without_shortcuts: Person, queue: list[str]
) -> None:
    page = without_shortcuts.page
    for path in ("/aprovacoes/", queue[0], f"{queue[0]}?decidir=recusar"):
        without_shortcuts.open(path)
        page.evaluate("() => document.activeElement.blur()")
        stops = int(page.evaluate(_STOPS))
        reached = set()
        for _stop in range(stops + 1):
            page.keyboard.press("Tab")
            reached.add(str(page.evaluate(_STOP)))
        assert len(reached - {""}) == stops, path


def test_a_message_that_stands_open_switches_no_key_off(
    operador: Person, aprovador: Person
) -> None:
    """A toast is a dialog that is not modal: only a modal one may take the keys."""
    path = acts.command(operador, title="Rever a janela")
    aprovador.open(path)
    aprovador.page.get_by_label("Comentar sem decidir").fill("Qual é a janela?")
    aprovador.main.get_by_role("button", name="Comentar").click()
    expect(aprovador.main).to_contain_text("Comentário gravado.")
    aprovador.page.keyboard.press("a")
    expect(aprovador.main.get_by_role("heading", name="Confirmar aprovação")).to_be_focused()
