"""From the question to the effect with JavaScript switched off."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from opspilot.bootstrap.instance import Instance
from tests.web import acts
from tests.web.people import Person

pytestmark = pytest.mark.browser


def _until(person: Person, words: str, *, press: str = "") -> None:
    for _attempt in range(60):
        if words in person.main.inner_text():
            return
        person.page.wait_for_timeout(300)
        if press:
            person.press(press)
        else:
            person.page.reload()
    raise AssertionError(f"{words!r} did not appear")


def test_ask_propose_and_approve_need_no_script(
    console: Instance, chromium: Browser, aprovador: Person, answered: str
) -> None:
    operador = Person(chromium, console, script=False).log_in("operador1.aurora")
    acts.send_question(operador, acts.ANSWERABLE)
    _until(operador, "Resposta", press="Atualizar agora")
    proposal = acts.propose(operador, operador.path)

    decider = Person(chromium, console, script=False, like=aprovador)
    acts.approve(decider, proposal)
    decider.open(proposal)
    _until(decider, "O que foi executado")
    expect(decider.page.locator("#andamento .head .state")).to_have_text("concluída")
    operador.leave()
    decider.leave()
