"""Case 5: after every swap the focus stands somewhere, and one thing is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from opspilot.bootstrap.instance import Instance
from tests.web import acts, queueing
from tests.web.people import Person

pytestmark = pytest.mark.browser

# Words in the live region, and alerts that appear: all that a screen reader says by itself.
_LISTEN = """() => {
  window.said = [];
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      if (target.closest?.("#aviso") && target.textContent) window.said.push(target.textContent);
      for (const node of addedNodes) {
        const alert = node.matches?.("[role=alert]") ? node : node.querySelector?.("[role=alert]");
        if (alert) window.said.push(alert.innerText);
      }
    }
  }).observe(document.body, { childList: true, subtree: true });
}"""


@pytest.fixture
def queue(console: Instance, model: str) -> Iterator[list[str]]:
    with queueing.waiting(console, "boreal", model, 3) as paths:
        yield paths


@pytest.fixture
def decider(console: Instance, chromium: Browser, stranger: Person) -> Iterator[Person]:
    person = Person(chromium, console, like=stranger)
    yield person
    person.leave()


def said_during(person: Person, act: Callable[[], None], then: str) -> list[str]:
    """What was said while the act was done and until `then` is in the page; the focus is held."""
    person.page.wait_for_timeout(200)  # what was said before
    person.page.evaluate(_LISTEN)
    act()
    expect(person.page.locator(then).first).to_be_visible()
    person.page.wait_for_timeout(300)
    assert person.focused() != "body"
    return list(person.page.evaluate("() => window.said"))


def test_opening_a_strip_says_its_heading(decider: Person, queue: list[str]) -> None:
    for key, words in (("a", "Confirmar aprovação"), ("r", "Confirmar recusa")):
        decider.open(queue[0])
        press = lambda key=key: decider.page.keyboard.press(key)  # noqa: E731
        assert said_during(decider, press, "form.confirm") == [words]
        expect(decider.page.locator("#h-confirmar")).to_be_focused()


def test_closing_a_strip_says_that_nothing_was_decided_and_returns_the_focus(
    decider: Person, queue: list[str]
) -> None:
    for key in ("a", "r"):
        decider.open(queue[0])
        decider.page.keyboard.press(key)
        expect(decider.page.locator("#h-confirmar")).to_be_focused()
        back = lambda: decider.page.keyboard.press("Escape")  # noqa: E731
        assert said_during(decider, back, "[aria-keyshortcuts=a]") == ["Nada foi decidido."]
        expect(decider.page.locator(f"[aria-keyshortcuts={key}]")).to_be_focused()
        assert decider.path == queue[0]


def test_a_missing_reason_is_one_alert_that_holds_the_focus(
    decider: Person, queue: list[str]
) -> None:
    decider.open(queue[0])
    decider.page.keyboard.press("r")
    decider.page.get_by_label("Motivo").fill("curto")
    decide = lambda: decider.page.keyboard.press("Control+Enter")  # noqa: E731
    said = said_during(decider, decide, "[role=alert]:focus")
    assert [words.startswith("Falta o motivo.") for words in said] == [True], said
    expect(decider.page.get_by_label("Motivo")).to_have_value("curto")
    decider.page.get_by_role("link", name="Motivo:").click()
    expect(decider.page.get_by_label("Motivo")).to_be_focused()


def test_a_decision_that_came_late_is_one_alert_beside_the_new_state(
    console: Instance, chromium: Browser, decider: Person, queue: list[str]
) -> None:
    decider.open(f"{queue[0]}?decidir=aprovar")
    other = Person(chromium, console).log_in("aprovador2.boreal")
    with acts.worker_held(console):
        other.open(f"{queue[0]}?decidir=aprovar")
        other.page.keyboard.press("Control+Enter")
        expect(other.main).to_contain_text("Aprovada às")
        decide = lambda: decider.page.keyboard.press("Control+Enter")  # noqa: E731
        said = said_during(decider, decide, "[role=alert]:focus")
        assert ["aprovador 2 decidiu em" in words for words in said] == [True], said
        expect(decider.page.locator("#andamento .head .state")).to_have_text("na fila de execução")
    other.leave()


def test_news_are_said_once_and_leave_the_focus_where_it_is(
    console: Instance, decider: Person, queue: list[str], model: str
) -> None:
    decider.page.clock.install()
    decider.open("/aprovacoes/")
    decider.page.keyboard.press("j")
    queueing.copies(console, "boreal", model, 2)

    def wait() -> None:
        decider.page.clock.run_for(6_000)
        expect(decider.page.locator(".fresh")).to_have_text("2 novas: mostrar")
        decider.page.clock.run_for(20_000)

    assert said_during(decider, wait, ".fresh") == ["2 novas: mostrar"]
    expect(decider.page.locator("[data-row]").first).to_be_focused()


def test_following_an_execution_keeps_the_focus_and_says_each_state_once(
    console: Instance, decider: Person, queue: list[str]
) -> None:
    with acts.worker_held(console):
        acts.approve(decider, queue[0])
        expect(decider.page.locator("h1")).to_be_focused()
        decider.page.evaluate(_LISTEN)
    acts.await_done(decider)
    decider.page.wait_for_timeout(300)
    expect(decider.page.locator("h1")).to_be_focused()
    said = list(decider.page.evaluate("() => window.said"))
    assert said[-1] == "Concluída."
    assert len(said) == len(set(said))


def test_what_follows_by_itself_leaves_the_focus_on_the_link_the_reader_chose(
    console: Instance, decider: Person, queue: list[str]
) -> None:
    with acts.worker_held(console):
        acts.approve(decider, queue[0])
        chosen = decider.page.locator("main a").last
        chosen.focus()
        decider.page.evaluate(_LISTEN)
        with decider.page.expect_response(lambda answer: "era=" in answer.url):
            pass  # the ticker asks by itself
        decider.page.wait_for_timeout(300)
        expect(chosen).to_be_focused()
        assert decider.page.evaluate("() => window.said") == []


def test_the_answer_to_a_question_is_said_once_and_takes_the_focus(
    operador: Person, answered: str, console: Instance
) -> None:
    with acts.worker_held(console):
        acts.send_question(operador, acts.ANSWERABLE)
        operador.page.evaluate(_LISTEN)
    acts.await_still(operador, "#rodada")
    expect(operador.page.get_by_role("heading", name="Resposta")).to_be_focused()
    operador.page.wait_for_timeout(300)
    assert operador.page.evaluate("() => window.said") == ["A resposta chegou."]


def test_the_keys_open_in_a_dialog_that_gives_the_focus_back(
    decider: Person, queue: list[str]
) -> None:
    decider.open("/aprovacoes/")
    decider.page.keyboard.press("j")
    ask = lambda: decider.page.keyboard.press("?")  # noqa: E731
    assert said_during(decider, ask, "dialog[open] h2") == ["Atalhos do teclado"]
    expect(decider.page.locator("#h-dialogo")).to_be_focused()
    decider.page.keyboard.press("j")
    expect(decider.page.locator("#h-dialogo")).to_be_focused()
    decider.page.keyboard.press("Escape")
    expect(decider.page.locator("[data-row]").first).to_be_focused()
    assert decider.path.partition("#")[0] == "/aprovacoes/"
