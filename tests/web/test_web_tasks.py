"""A task from the command to the recap, against the sandbox, as the people of the company do it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web import acts
from tests.web.people import Person

pytestmark = pytest.mark.browser
RUNS = 60_000  # milliseconds a task may take, its hold and its start included


def test_a_task_goes_from_the_command_to_what_each_host_came_to(
    operador: Person, aprovador: Person
) -> None:
    operador.open("/rodadas/comando/")
    operador.main.get_by_role("link", name="Tarefa").click()
    page = operador.page
    page.get_by_label("Template", exact=True).select_option("25")
    operador.press("Continuar")
    page.get_by_label("Host").fill(" SRV-PAG-02 ")
    page.get_by_label("Por que isto precisa ser feito").fill(acts.REASON)
    operador.press("Revisar")
    run = operador.path
    prepare = operador.main.get_by_role("link", name="Preparar proposta")
    expect(prepare).to_be_visible(timeout=RUNS)
    prepare.click()
    operador.press("Confirmar e pedir aprovação")
    proposal = operador.path
    operador.open(run)
    acts.approve(aprovador, proposal)
    row = operador.main.get_by_role("row", name="srv-pag-02")
    expect(row).to_contain_text("concluído", timeout=RUNS)
    expect(operador.main).to_contain_text("sem modelo: comando explícito")
    expect(operador.main.get_by_role("button", name="Preparar a reversão")).to_be_visible()


def test_half_a_command_in_the_question_box_asks_for_the_rest(operador: Person) -> None:
    acts.send_question(operador, "template_id=21 limit=srv-pag-02")
    expect(operador.main).to_contain_text("Falta dizer: server_action, server_name")
    expect(operador.page.get_by_label("Host")).to_have_value("srv-pag-02")
