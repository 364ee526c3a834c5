"""Case 10, the part of decisions: the whole queue is worked with JavaScript switched off."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from opspilot.bootstrap.instance import Instance
from tests.web import acts, queueing
from tests.web.people import Person

pytestmark = pytest.mark.browser


@pytest.fixture
def queue(console: Instance, model: str) -> Iterator[list[str]]:
    with queueing.waiting(console, "boreal", model, 3) as paths:
        yield paths


@pytest.fixture
def decider(console: Instance, chromium: Browser, stranger: Person) -> Iterator[Person]:
    person = Person(chromium, console, script=False, like=stranger)
    yield person
    person.leave()


def test_a_queue_is_narrowed_walked_and_decided_by_links_and_forms(
    console: Instance, decider: Person, queue: list[str]
) -> None:
    before = queueing.decisions(console, "boreal")
    decider.open("/aprovacoes/")
    decider.page.locator("summary.chip").click()
    decider.page.get_by_label("Risco").select_option("baixo")
    decider.press("Filtrar")
    decider.page.locator("[data-row]").first.click()
    expect(decider.page.locator(".crumb")).to_contain_text("1 de 3")
    decider.press("Próxima")
    expect(decider.page.locator(".crumb")).to_contain_text("2 de 3")
    decider.press("Anterior")

    decider.press("Aprovar…")
    decider.press("Confirmar aprovação")
    expect(decider.main).to_contain_text(acts.APPROVED)
    expect(decider.page.locator(".crumb")).to_contain_text("1 de 2")

    decider.press("Recusar…")
    decider.page.get_by_label("Motivo").fill("Falta a janela de manutenção.")
    decider.press("Confirmar recusa")
    expect(decider.main).to_contain_text("Recusada às")
    assert queueing.decisions(console, "boreal") == before + 2


def test_a_missing_reason_comes_back_with_its_words_and_a_link_to_the_field(
    decider: Person, queue: list[str]
) -> None:
    decider.open(f"{queue[0]}?decidir=recusar")
    decider.page.get_by_label("Motivo").fill("curto")
    decider.press("Confirmar recusa")
    expect(decider.main.get_by_role("alert")).to_contain_text("Falta o motivo.")
    expect(decider.page.get_by_label("Motivo")).to_have_value("curto")
    expect(decider.main.get_by_role("link", name="Motivo:")).to_have_attribute("href", "#id_motivo")


def test_a_late_decision_is_shown_the_new_state_on_the_whole_page(
    console: Instance, decider: Person, stranger: Person, queue: list[str]
) -> None:
    decider.open(f"{queue[0]}?decidir=aprovar")
    acts.approve(stranger, queue[0])
    with decider.page.expect_response(lambda found: found.request.method == "POST") as late:
        decider.press("Confirmar aprovação")
    assert late.value.status == 409
    expect(decider.main).to_contain_text("A sua decisão não foi gravada.")
    expect(decider.page.locator("#andamento .head .state")).not_to_have_text("pendente")
