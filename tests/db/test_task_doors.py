"""An explicit task by form and pasted: one reader, one set of rules, and no model."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from typing import Any

import pytest

from approvals.inbox import health
from audit.models import AgenteAcao
from grounding.retrieval import consult
from opspilot.connectors import readers
from opspilot.harness.models import RunKind, RunState
from opspilot.harness.running import looking
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import AtTheDoor, at_the_door
from tests.db.browsing import Browser, as_
from tests.db.commanding import (
    FIELDS,
    SLUG,
    WHY,
    WORDS,
    a_company,
    asked,
    by_form,
    confirmed,
    pasted,
    proposals,
    read_template,
    runs,
)
from tests.db.task_runner import FINGERPRINT

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def home() -> Tenant:
    return a_company()


@pytest.fixture
def operador(home: Tenant) -> Principal:
    return factories.a_principal(home, Role.OPERADOR)


@pytest.fixture
def person(operador: Principal) -> Browser:
    return as_(operador)


@pytest.fixture
def door(home: Tenant) -> AtTheDoor:
    return at_the_door(home, slug=SLUG)


def test_the_form_the_paste_and_the_agent_come_to_the_same_action(
    home: Tenant, person: Browser, door: AtTheDoor
) -> None:
    read_template(home)
    by_form(person)
    pasted(person, "\n".join([*WORDS.split(), f"justificativa={WHY}"]))
    pasted(person, json.dumps(FIELDS | {"justificativa": WHY}))
    for run in runs(home):
        confirmed(person, run)
    assert door.post("aprovacoes", asked()).status == 201
    parts = [
        {name: made.proposta[name] for name in ("target", "alias", "hosts", "variables")}
        for made in proposals(home)
    ]
    assert len(parts) == 4
    assert all(part == parts[0] for part in parts)
    assert parts[0]["target"]["fingerprint"] == FINGERPRINT


def test_no_model_no_search_and_no_queue_of_questions_is_asked(
    home: Tenant, person: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[str] = []

    def noted(name: str) -> Callable[..., Any]:
        return lambda *args, **kwargs: called.append(name)

    for place, name in (
        (readers, "embedder"),
        (readers, "translator"),
        (consult, "prepare"),
        (consult, "consult"),
        (looking, "consultar_grounding"),
    ):
        monkeypatch.setattr(place, name, noted(name))
    by_form(person)
    pasted(person, json.dumps(FIELDS | {"justificativa": WHY}))
    assert called == []
    # A run in any other state would wait for the worker's answer.
    assert [(run.kind, run.state) for run in runs(home)] == [
        (RunKind.COMMAND, RunState.COMMAND)
    ] * 2


def test_a_question_still_goes_to_the_queue_of_questions(home: Tenant, person: Browser) -> None:
    pasted(person, "Por que a API está lenta?")
    assert [run.kind for run in runs(home)] == [RunKind.QUESTION]


@pytest.mark.parametrize(
    ("text", "missing", "kept"),
    [
        ("template_id=21", "host, server_action, server_name", 'value="21" selected'),
        ("limit=SRV-PAG-02", "template", 'value="srv-pag-02"'),
        (
            "template_id=21 limit=srv-pag-02 server_name=api",
            "server_action, por que isto precisa ser feito",
            'value="api"',
        ),
    ],
)
def test_half_a_command_asks_for_exactly_what_is_missing_and_keeps_the_rest(
    home: Tenant, person: Browser, text: str, missing: str, kept: str
) -> None:
    page = html.unescape(pasted(person, text))
    assert f"Falta dizer: {missing}" in page
    assert kept in page
    assert runs(home) == []


def test_a_half_filled_form_says_what_is_missing_and_stores_nothing(
    home: Tenant, person: Browser
) -> None:
    page = html.unescape(by_form(person, server_action="", limit=" "))
    assert "Falta dizer: host, server_action." in page
    assert 'value="liq-worker-3"' in page
    assert runs(home) == []


@pytest.mark.parametrize(
    "text",
    [
        f"{WORDS} limits=all",
        f"{WORDS} ansible_host=10.0.0.1",
        json.dumps(FIELDS | {"playbook": "outro.yml"}),
    ],
)
def test_a_field_that_no_template_has_is_refused_by_name(
    home: Tenant, person: Browser, text: str
) -> None:
    page = html.unescape(pasted(person, text))
    assert "Campo que nenhum template tem:" in page
    assert runs(home) == []


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('{"template_id": 21, "limit": "a"', "Não consegui ler o comando"),
        (f"{WORDS} foo=1", "O comando tem campos que não existem"),
    ],
)
def test_what_is_no_command_is_not_said_and_not_counted_as_the_policy_s_refusal(
    home: Tenant, person: Browser, text: str, title: str
) -> None:
    page = pasted(person, text)
    assert title in page
    assert "A política não permite esta ação" not in page
    with tenant_scope(home.pk):
        assert health.of(days=7).refusals == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("limit=all", "Não é o nome de um host: all."),
        ("template_id=99", "Este template não está na política da sua empresa."),
        ("template_id=21 limit=srv-api-04", "Host que a política deste template não tem:"),
    ],
)
def test_what_can_never_pass_is_said_beside_what_is_missing(
    home: Tenant, person: Browser, text: str, sentence: str
) -> None:
    page = pasted(person, text)
    assert "Falta dizer:" in page
    assert sentence in page
    assert runs(home) == []


def test_the_form_asks_for_the_template_first(person: Browser) -> None:
    page = person.read("/rodadas/tarefa/")
    assert 'name="template_id"' in page
    assert 'name="server_action"' not in page


def test_the_form_shows_the_hosts_and_the_variables_of_its_template(person: Browser) -> None:
    page = person.read("/rodadas/tarefa/?template_id=21")
    assert "Hosts deste template: srv-pag-02, srv-pag-03" in page
    assert '<option value="restart">' in page
    assert 'name="deploy_service"' not in page


def test_a_form_field_that_no_template_has_is_refused_by_name(
    home: Tenant, person: Browser
) -> None:
    page = by_form(person, inventory_id="9")
    assert "Campo que nenhum template tem: inventory_id." in page
    assert runs(home) == []


def test_a_field_of_another_template_is_kept_and_refused_by_name(
    home: Tenant, person: Browser
) -> None:
    page = by_form(person, deploy_service="api-medicao")
    assert "Variável que este template não tem: deploy_service." in page
    assert 'value="api-medicao"' in page
    assert runs(home) == []


def test_the_review_and_the_proposal_show_the_body_as_it_will_be_sent(
    home: Tenant, person: Browser
) -> None:
    by_form(person)
    read_template(home)
    run = runs(home)[0]
    review = html.unescape(person.read(f"/rodadas/{run.ref}/confirmar/"))
    assert '"environment": "{\\"server_action\\":\\"restart\\"' in review
    confirmed(person, run)
    (proposal,) = proposals(home)
    page = html.unescape(person.read(f"/aprovacoes/{proposal.ref}/?ver=json"))
    assert '"limit": "srv-pag-02"' in page
    assert '"message": "opk' in page


def test_going_back_to_correct_finds_the_command_again(home: Tenant, person: Browser) -> None:
    by_form(person)
    page = person.read(f"/rodadas/{runs(home)[0].ref}/proposta/")
    assert 'value="21" selected' in page
    assert 'value="liq-worker-3"' in page
    assert WHY in page


def test_the_trail_names_template_target_and_who_asked(home: Tenant, person: Browser) -> None:
    read_template(home)
    by_form(person)
    confirmed(person, runs(home)[0])
    with tenant_scope(home.pk):
        row = AgenteAcao.objects.get(acao="tarefa.executada")
    assert row.saida_resumo == "servico-acao: srv-pag-02"
    assert (row.autorizacao, row.modelo) == ("pendente", "nenhum")


def test_a_page_with_both_kinds_of_command_leads_from_one_to_the_other(person: Browser) -> None:
    assert 'href="/rodadas/tarefa/"' in person.read("/rodadas/comando/")
    assert 'href="/rodadas/comando/"' in person.read("/rodadas/tarefa/")


def test_a_company_without_tasks_is_told_so(home: Tenant, person: Browser) -> None:
    factories.a_policy(home)
    assert "A política da sua empresa não permite tarefas" in person.read("/rodadas/tarefa/")


def test_another_s_run_is_not_corrected_and_not_checked(home: Tenant, person: Browser) -> None:
    by_form(person)
    run = runs(home)[0]
    stranger = as_(factories.a_principal(home, Role.OPERADOR))
    assert stranger.status(f"/rodadas/{run.ref}/tarefa/") == 404
    assert stranger.client.post(f"/rodadas/{run.ref}/conferir/").status_code == 404


def test_an_explicit_command_stands_in_the_list_of_who_asked(home: Tenant, person: Browser) -> None:
    by_form(person)
    page = " ".join(person.read("/perguntar/").split())
    assert "Tarefa 21 em srv-" in page
    (run,) = runs(home)
    assert f"/rodadas/{run.ref}/" in page
