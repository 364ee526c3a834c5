"""Case 10: with JavaScript switched off everything is done by links and forms.

Here: log in, ask, propose, approve to the effect, look an entity up and page it. The queue of
decisions is in `test_case_10_decisions_without_script`, the upload of several files in
`test_web_upload`, the policy's reports on the whole crawl in `test_web_pages`.
"""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import pytest
from playwright.sync_api import Browser, expect

from opspilot.bootstrap.instance import Instance
from tests.web import acts, queueing
from tests.web.people import Person

pytestmark = pytest.mark.browser

CUSTOMER = "11.222.333/0001-81"  # every manual's example
PAGE = 200
# More of what was done about the customer of this run, as the console itself would write it.
_MORE = """
INSERT INTO agente_acao (
  tenant_id, correlacao_id, agente, agente_versao, modelo, instrucao_hash, acao, entidade_tipo,
  entidade_id, resultado, autorizacao)
SELECT tenant_id, gen_random_uuid(), agente, agente_versao, modelo, instrucao_hash, acao,
       entidade_tipo, entidade_id, resultado, autorizacao
  FROM generate_series(1, %(count)s), (
    SELECT * FROM agente_acao WHERE acao = 'issue.criada' AND autorizacao <> 'humana'
       AND correlacao_id = (SELECT correlacao_id FROM agente_aprovacao WHERE ref = %(ref)s)
     LIMIT 1) AS prepared
"""


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


def _whole(person: Person) -> bool:
    """Once the last of a long page has come: the link to the next stands at its end."""
    person.page.wait_for_load_state()
    return True


@pytest.fixture
def reader(console: Instance, chromium: Browser, auditor: Person) -> Iterator[Person]:
    person = Person(chromium, console, script=False, like=auditor)
    yield person
    person.leave()


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


def test_a_customer_is_looked_up_and_paged_to_the_oldest_line(
    console: Instance, operador: Person, reader: Person
) -> None:
    proposal = acts.command(operador, title="Conferir o contrato", document=CUSTOMER)
    with queueing.company(console, "aurora") as connection:
        ref = UUID(proposal.split("/")[2])
        connection.execute(_MORE, {"count": PAGE + 20, "ref": ref})

    reader.open("/trilha/")
    reader.page.get_by_label("CPF ou CNPJ").fill(CUSTOMER)
    reader.press("Abrir histórico")
    expect(reader.main.get_by_role("heading", level=1)).to_contain_text("Cliente")
    first = reader.path
    seen, older = {first}, reader.main.get_by_role("link", name="Mais antigas")
    while _whole(reader) and older.count():
        with reader.page.expect_navigation():
            older.click()
        assert reader.path.startswith(f"{first}?antes=")
        assert reader.path not in seen
        seen.add(reader.path)
    assert len(seen) >= 2
    assert reader.main.locator(".story, .empty").count() >= 1


def test_a_period_narrows_a_history_by_its_form(reader: Person, executed: str) -> None:
    reader.open("/trilha/")
    reader.page.get_by_label("CPF ou CNPJ").fill(acts.CUSTOMER)
    reader.press("Abrir histórico")
    reader.main.locator("summary").filter(has_text="Outro período").click()
    reader.page.get_by_label("De", exact=True).fill("2020-01-01")
    reader.page.get_by_label("Até, com este dia").fill("2020-01-31")
    reader.press("Mostrar")
    expect(reader.main).to_contain_text("Nenhum registro com estes filtros")
    reader.press("Tirar os filtros")
    expect(reader.main.locator(".story").first).to_be_visible()
