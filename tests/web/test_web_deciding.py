from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from opspilot.bootstrap.instance import Instance
from tests.web import acts
from tests.web.people import Person

pytestmark = pytest.mark.browser

HASH = re.compile(r"[0-9a-f]{64}")


def test_the_rail_counts_what_waits_for_the_approver(aprovador: Person, pending: str) -> None:
    aprovador.open("/aprovacoes/")
    waiting = aprovador.main.locator("tbody tr").count()
    assert waiting >= 1
    link = aprovador.page.locator(".rail").get_by_role("link", name="Aprovações")
    expect(link).to_have_accessible_name(f"Aprovações {waiting} para você decidir")


def test_a_row_of_the_queue_opens_the_whole_proposal(aprovador: Person, pending: str) -> None:
    aprovador.open("/aprovacoes/")
    aprovador.page.locator(f"a[href='{pending}']").click()
    frozen = aprovador.main.locator(".frozen")
    for part in ("Issue no GitLab", "aurora/infra", "Rever e anotar o resultado.", "opk"):
        expect(frozen).to_contain_text(part)
    expect(aprovador.main).to_contain_text(acts.REASON)
    expect(aprovador.main).to_contain_text("Comando explícito: nenhum runbook foi consultado.")


def test_the_evidence_stands_beside_what_will_be_done(aprovador: Person, proposed: str) -> None:
    aprovador.open(proposed)
    expect(aprovador.main.locator(".quote").first).to_contain_text("Liquidação: fila parada")
    expect(aprovador.main.locator(".frozen pre")).to_contain_text("\\/close")


def test_the_hash_shown_is_the_hash_decided_on(aprovador: Person, pending: str) -> None:
    aprovador.open(pending)
    shown = aprovador.main.locator(".frozen footer [data-copy]").get_attribute("data-copy") or ""
    aprovador.page.keyboard.press("a")
    posted = aprovador.page.locator("[name=acao_hash]")
    expect(posted).to_have_value(HASH)
    assert posted.input_value() == shown


def test_one_letter_opens_the_strip_and_decides_nothing(aprovador: Person, pending: str) -> None:
    aprovador.open(pending)
    aprovador.page.keyboard.press("a")
    expect(aprovador.main.get_by_role("heading", name="Confirmar aprovação")).to_be_focused()
    for key in ("a", "s", "y", "Enter", "Space"):
        aprovador.page.keyboard.press(key)
    assert acts.state_of(aprovador, pending) == "pendente"


def test_control_enter_approves_and_the_page_follows_to_the_end(
    aprovador: Person, pending: str, console: Instance
) -> None:
    with acts.worker_held(console):
        aprovador.open(pending)
        aprovador.page.keyboard.press("a")
        expect(aprovador.main.get_by_role("heading", name="Confirmar aprovação")).to_be_focused()
        aprovador.page.keyboard.press("Control+Enter")
        expect(aprovador.main).to_contain_text(acts.APPROVED)
        aprovador.open(pending)
        aprovador.page.evaluate("() => { window.stayed = true; }")
    acts.await_done(aprovador)
    assert aprovador.page.evaluate("() => window.stayed") is True
    assert aprovador.focused() != "body"
    expect(aprovador.page.locator("#aviso")).to_have_text("Concluída.")
    expect(aprovador.page.locator("#linha")).to_contain_text("o destino confirmou")


def test_a_stale_page_is_told_who_decided(
    aprovador: Person, second_aprovador: Person, pending: str
) -> None:
    second_aprovador.open(pending + "?decidir=aprovar")
    acts.approve(aprovador, pending)
    with second_aprovador.page.expect_response(
        lambda found: found.request.method == "POST"
    ) as late:
        second_aprovador.page.keyboard.press("Control+Enter")
    assert late.value.status == 409
    expect(second_aprovador.main).to_contain_text("aprovador 1 decidiu em")
    expect(second_aprovador.main).to_contain_text("A sua decisão não foi gravada.")


def test_a_refusal_gives_the_requester_its_reason(
    aprovador: Person, operador: Person, pending: str
) -> None:
    aprovador.open(pending)
    aprovador.page.keyboard.press("r")
    aprovador.page.get_by_label("Motivo").fill("Falta dizer que o produtor precisa parar antes.")
    aprovador.page.keyboard.press("Control+Enter")
    expect(aprovador.main).to_contain_text("Nada será executado; quem pediu vê o motivo.")
    assert acts.state_of(operador, pending) == "recusada"
    expect(operador.main).to_contain_text("Falta dizer que o produtor precisa parar antes.")


def test_another_company_sees_the_same_as_for_an_unknown_address(
    stranger: Person, executed: str
) -> None:
    foreign = _refusal(stranger, executed)
    unknown = _refusal(stranger, "/aprovacoes/00000000-0000-4000-8000-000000000000/")
    assert foreign == unknown


def _refusal(person: Person, path: str) -> str:
    assert person.open(path).status == 404
    text = person.main.locator(".empty").inner_text()
    return re.sub(r"[0-9a-f]{32}", "", text)
