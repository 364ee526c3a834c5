"""Case 7: approve, then `z` within the hold. The decision stands, the effect does not.

The race of a withdrawal with a claim, fifty rounds of it, is in tests/db/test_withdrawal.py.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from opspilot.bootstrap.instance import Instance
from tests.web import acts
from tests.web.people import Person

pytestmark = pytest.mark.browser
CHANGE = "Diga qual dos dois hosts, e a janela."


def held(operador: Person) -> str:
    """A proposal whose risk holds its execution for ten seconds."""
    return acts.command(operador, title="Rever a captura do lote", project="pagamentos")


def test_case_07_z_within_the_hold_stops_the_execution_and_leaves_the_decision(
    operador: Person, aprovador: Person, console: Instance
) -> None:
    path = held(operador)
    with acts.worker_held(console):
        acts.approve(aprovador, path)
        aprovador.page.keyboard.press("z")
        expect(aprovador.main).to_contain_text("Execução retirada.")
    assert acts.state_of(aprovador, path) == "retirada"
    expect(aprovador.page.locator("#linha")).to_contain_text("aprovador 1 aprovou")
    expect(aprovador.page.locator("#linha")).not_to_contain_text("pedido enviado")
    assert aprovador.main.get_by_role("button", name="Retirar").count() == 0


def test_case_07_the_strip_on_the_next_page_offers_the_same_letter(
    operador: Person, aprovador: Person, console: Instance
) -> None:
    path = held(operador)
    with acts.worker_held(console):
        aprovador.open(path)
        aprovador.press("Aprovar…")
        aprovador.press("Confirmar aprovação")
        expect(aprovador.main).to_contain_text(acts.APPROVED)
        expect(aprovador.main).to_contain_text("Executa em")
        aprovador.page.keyboard.press("z")
        expect(aprovador.main).to_contain_text("Execução retirada.")
    assert acts.state_of(operador, path) == "retirada"


def test_over_an_open_strip_the_letter_withdraws_nothing(
    operador: Person, aprovador: Person, console: Instance
) -> None:
    path, other = held(operador), held(operador)
    with acts.worker_held(console):
        acts.approve(aprovador, path)
        aprovador.open(f"{other}?decidir=recusar&decidida={path.split('/')[2]}")
        expect(aprovador.main.get_by_role("button", name="Retirar")).to_be_visible()
        aprovador.page.keyboard.press("z")
        aprovador.page.wait_for_timeout(500)
        assert acts.state_of(aprovador, path) == "na fila de execução"
    operador.open(other)
    operador.press("Cancelar pedido")


def test_running_what_was_withdrawn_needs_a_new_proposal_linked_to_it(
    operador: Person, aprovador: Person, console: Instance
) -> None:
    path = held(operador)
    with acts.worker_held(console):
        acts.approve(aprovador, path)
        aprovador.press("Retirar")
        expect(aprovador.main).to_contain_text("Execução retirada.")
    operador.open(path)
    operador.press("Pedir de novo")
    operador.press("Confirmar e pedir aprovação")
    expect(operador.main.get_by_role("heading", level=1)).to_contain_text("Criar issue em")
    assert operador.path != path
    with operador.page.expect_navigation():
        operador.press("Tentativa anterior")
    assert operador.path.startswith(path)


def test_what_should_change_is_asked_for_and_the_next_proposal_answers_it(
    operador: Person, aprovador: Person
) -> None:
    path = held(operador)
    aprovador.open(path)
    aprovador.page.keyboard.press("d")
    expect(aprovador.main.get_by_role("heading", name="Pedir mudanças")).to_be_focused()
    aprovador.page.get_by_label("O que precisa mudar").fill(CHANGE)
    aprovador.page.keyboard.press("Control+Enter")
    expect(aprovador.main).to_contain_text("Devolvida às")
    assert acts.state_of(operador, path) == "devolvida"
    expect(operador.main).to_contain_text(CHANGE)
    operador.press("Preparar a mudança")
    operador.page.get_by_label("Título").fill("Rever a captura do lote no liq-worker-3")
    acts.confirm(operador)
    expect(operador.main).to_contain_text(CHANGE)


def test_a_comment_is_read_by_the_other_side_and_decides_nothing(
    operador: Person, aprovador: Person
) -> None:
    path = held(operador)
    aprovador.open(path)
    aprovador.page.get_by_label("Comentar sem decidir").fill("Qual é a janela de hoje?")
    aprovador.main.get_by_role("button", name="Comentar").click()
    expect(aprovador.main).to_contain_text("Comentário gravado. Nada foi decidido.")
    assert acts.state_of(operador, path) == "pendente"
    expect(operador.page.locator("#comentarios")).to_contain_text("Qual é a janela de hoje?")
