"""The run page of a planned request: each end by its own words, its steps, and what one may press."""

from __future__ import annotations

import html

import pytest

from opspilot.harness.models import Run
from opspilot.harness.planning.port import Choice, PlannerUnavailableError
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from tests import factories
from tests.db import tasking
from tests.db.browsing import a_browser, as_
from tests.db.running import ask, ended, forgotten, make_old, read
from tests.scripted import Said, a_choice, a_task, an_issue, final, search

pytestmark = pytest.mark.usefixtures("committed")
PARTLY = Choice(a_choice(final("ask", "limit")).planned, understood=a_task(limit=()))
AWAY = PlannerUnavailableError("modelo_em_pausa", retry_after=90)


@pytest.fixture
def tenant() -> Tenant:
    found = factories.a_tenant()
    tasking.a_policy(found)
    return found


@pytest.fixture
def by(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR)


def page_of(run: Run, by: Principal) -> str:
    return html.unescape(as_(by).read(f"/rodadas/{run.ref}/").partition("<main")[2])


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ([an_issue()], ["está preparado", "Revisar e confirmar", "Preparar uma issue: infra"]),
        ([a_task()], ["está preparado", "interpretado de um pedido", "Corrigir"]),
        ([PARTLY], ["Falta dizer: host.", "Completar o pedido"]),
        ([final("ask")], ["O pedido não ficou claro.", "Preparar uma tarefa"]),
        ([final("hand_over", words="eu")], ["repassado a uma pessoa", "sem conferência: eu"]),
        ([final("refuse")], ["não é algo que este console faça"]),
        ([an_issue(alias="x"), final("refuse")], ["Este pedido foi recusado.", "recusado:"]),
        ([AWAY], ["em revisão", "Tentar depois de", "Seguir em modo embutido"]),
        ([an_issue(alias="x")] * 6, ["Os passos de uma rodada acabaram", "recusado:"]),
    ],
    ids=["issue", "task", "asks", "unclear", "person", "refused", "policy", "outage", "bound"],
)
def test_each_end_has_its_own_words(by: Principal, said: list[Said], words: list[str]) -> None:
    page = page_of(ended(by, *said), by)
    assert [one for one in words if one not in page] == []


def test_the_planner_s_words_are_shown_to_the_requester_only(tenant: Tenant, by: Principal) -> None:
    run = ended(by, final("hand_over", words="do runbook fechado"))
    auditor = factories.a_principal(tenant, Role.AUDITOR)
    assert "do runbook fechado" not in page_of(run, auditor)
    assert "do runbook fechado" in page_of(run, by)


@pytest.mark.parametrize("said", [an_issue(), a_task()], ids=["issue", "task"])
def test_a_prepared_command_shows_its_justification_with_its_invisible_signs(
    by: Principal, said: Said
) -> None:
    page = page_of(ended(by, said, text="A fila de liquida\u200bção parou.\nERRO 1"), by)
    assert "Por quê" in page
    assert "U+200B" in page.partition('id="h-porque"')[2]


def test_what_is_confirmed_shows_its_justification_in_full(by: Principal) -> None:
    why = "A fila de liquidação parou e os clientes esperam desde cedo."
    run = ended(by, an_issue(), text=f"{why} Depois disto.")
    page = html.unescape(as_(by).read(f"/rodadas/{run.ref}/confirmar/"))
    assert why in page.partition('id="h-porque"')[2]
    assert "Depois disto" not in page


def test_a_paid_step_tells_the_model_its_tokens_and_its_cost(by: Principal) -> None:
    page = page_of(ended(by, a_choice(final("refuse"), paid=True)), by)
    assert "modelo planner-served" in page
    assert "730 tokens, R$ 0,0025" in page.replace("\xa0", " ")


def test_the_form_begins_with_what_was_understood(by: Principal) -> None:
    run = ended(by, PARTLY)
    page = html.unescape(as_(by).read(f"/rodadas/{run.ref}/tarefa/"))
    assert "Falta dizer: host." in page
    assert 'value="liq-worker-3"' in page
    assert run.question in page


def test_what_is_filled_in_after_a_question_back_can_be_confirmed(by: Principal) -> None:
    run = ended(by, final("ask", "title"), text="Abra uma issue sobre a fila")
    fields = {"alias": "infra", "titulo": "A fila parou", "descricao": "Ver.", "cliente": ""}
    why = {"justificativa": "A fila parou e clientes esperam."}
    page = as_(by).send(f"/rodadas/{run.ref}/proposta/", **fields, **why)
    assert "Você confirma este conteúdo?" in page
    assert read(run).state == "prepared"


def test_an_open_run_is_stopped_by_a_press_and_by_nobody_else(
    tenant: Tenant, by: Principal
) -> None:
    run = ask(by)
    stranger = a_browser(tenant, Role.APROVADOR)
    assert "parar/" in page_of(run, by)
    assert stranger.client.post(f"/rodadas/{run.ref}/parar/").status_code == 404
    assert "Esta rodada foi parada." in as_(by).send(f"/rodadas/{run.ref}/parar/")


def test_after_an_outage_a_press_queues_it_again(by: Principal) -> None:
    run = ended(by, AWAY)
    as_(by).send(f"/rodadas/{run.ref}/embutido/")
    again = read(run)
    assert (again.state, again.embedded) == ("queued", True)


def test_who_may_take_a_request_over_finds_it_and_the_page_says_who_has_it(
    tenant: Tenant, by: Principal
) -> None:
    run = ended(by, final("hand_over"))
    taker = a_browser(tenant, Role.CONFORMIDADE)
    assert "1 pedido espera por uma pessoa" in taker.read("/")
    assert f"/rodadas/{run.ref}/" in taker.read("/rodadas/com-pessoas/")
    taker.send(f"/rodadas/{run.ref}/assumir/")
    assert f"Está com {taker.user}." in page_of(run, by)
    assert as_(by).status("/rodadas/com-pessoas/") == 403


def test_a_request_whose_term_is_over_is_shown_without_its_text(by: Principal) -> None:
    run = ended(by, search("fila"), final("refuse"), text="Uma frase só minha")
    make_old(run)
    forgotten(run)
    page = page_of(run, by)
    assert "Uma frase só minha" not in page
    assert "Pedido cujo texto já foi apagado" in page
