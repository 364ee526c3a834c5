"""Asking the policy about a task, in a browser: refused with every reason, corrected, allowed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.people import Person

pytestmark = pytest.mark.browser


@pytest.fixture
def testing(aprovador: Person) -> Person:
    """Whoever decides asks what the policy would say of an operador's task."""
    aprovador.open("/politicas/")
    aprovador.press("Testar uma ação")
    aprovador.press("Executar tarefa")
    aprovador.page.get_by_label("Template", exact=True).fill("servico-acao")
    aprovador.page.get_by_label("Variáveis").fill(
        "server_name = liq-worker-3\nserver_action = restart"
    )
    return aprovador


def test_a_task_on_everything_is_refused_with_every_reason_and_then_corrected(
    testing: Person,
) -> None:
    target = testing.page.get_by_label("Host", exact=True)
    target.fill("all")
    testing.press("Testar")
    answer = testing.main.locator("section[aria-labelledby='h-resposta']")
    expect(answer.get_by_role("heading")).to_have_text("Recusada")
    for code in ("destino_nao_e_um_host", "host_desconhecido"):
        expect(answer).to_contain_text(code)
    expect(target).to_have_value("all")
    target.fill(" SRV-PAG-02 ")
    testing.press("Testar")
    expect(answer.get_by_role("heading")).to_have_text("Permitida")
    expect(answer).to_contain_text("template 21 em srv-pag-02")
    expect(answer).to_contain_text("médio")
