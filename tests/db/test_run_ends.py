"""Every end of a planned run: what is kept, what the trail says, and what was not done."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from pytest_django import Settings

from approvals.models import AgenteAprovacao, TemplatePreflight
from opspilot.harness import services
from opspilot.harness.models import Run, RunState
from opspilot.harness.planning.port import (
    Choice,
    InvalidOutputError,
    PlannerUnavailableError,
    PrepareTask,
)
from opspilot.harness.running.bounds import DEADLINE, STEPS, UNREADABLE
from opspilot.tenancy import clock
from opspilot.tenancy.models import Membership, Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import tasking
from tests.db.running import REQUEST, WISH, advance, ask, ended, rows_of, steps_of, told
from tests.scripted import COST, MODEL, a_choice, a_task, an_issue, final, planning, search

pytestmark = pytest.mark.django_db


@pytest.fixture
def tenant() -> Tenant:
    found = factories.a_tenant()
    tasking.a_policy(found)
    return found


@pytest.fixture
def by(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR)


def proposals_of(run: Run) -> int:
    with tenant_scope(run.tenant_id):
        return AgenteAprovacao.objects.filter(correlacao_id=run.ref).count()


def row_of(run: Run, action: str = "pedido.interpretado") -> tuple[str, str | None, str | None]:
    (row,) = rows_of(run)
    assert row.acao == action
    return row.resultado, row.erro, row.saida_resumo


def test_a_prepared_task_waits_for_its_requester_with_the_request_as_its_reason(
    by: Principal,
) -> None:
    run = ended(by, a_task())
    assert (run.state, run.claim_token, proposals_of(run)) == (RunState.PREPARED, None, 0)
    assert run.command["task"]["limit"] == ["srv-pag-02"]
    assert (run.command["source"], run.command["justification"]) == ("planejador", WISH)
    assert row_of(run) == ("ok", None, "comando preparado: tarefa.executada")
    with tenant_scope(run.tenant_id):
        assert TemplatePreflight.objects.filter(template=21).exists()


def test_a_prepared_issue_becomes_a_proposal_only_when_it_is_confirmed(by: Principal) -> None:
    run = ended(by, an_issue())
    assert (run.state, proposals_of(run)) == (RunState.PREPARED, 0)
    with tenant_scope(by.tenant_id):
        draft = services.draft_of(principal=by, run=run)
        made = services.confirm(principal=by, run=run, seen_hash=draft.hash)
    assert (made.solicitante, made.justificativa) == (by.subject, WISH)


def test_what_the_policy_refuses_is_told_to_the_planner_by_its_code_alone(by: Principal) -> None:
    run, planner = told(by, an_issue(alias="alheio"), final("refuse"))
    (refused,) = planner.seen[1].taken
    assert (refused.outcome, refused.code) == ("refused", "projeto_desconhecido")
    assert refused.passages == ()
    assert [step.outcome for step in steps_of(run)] == ["refused", "done"]
    assert (run.state, run.code) == (RunState.REFUSED, "projeto_desconhecido")


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (a_task(limit=("*",)), "destino_nao_e_um_host"),
        (a_task(limit=("srv-api-04",)), "host_desconhecido"),
        (a_task(limit=()), "comando_incompleto"),
        (a_task(template="outro"), "template_desconhecido"),
        (a_task(server_name="x", server_action="format"), "valor_nao_permitido"),
        (a_task(server_name="x", limit_="y"), "campos_do_comando"),
        (a_task(template_id="22"), "comando_ilegivel"),
    ],
)
def test_a_task_goes_through_the_validators_of_a_form(
    by: Principal, call: PrepareTask, code: str
) -> None:
    run = ended(by, call, final("refuse"))
    assert steps_of(run)[0].code == code
    assert "task" not in run.command


def test_a_prepared_command_rests_on_what_was_found_before_it(
    tenant: Tenant, by: Principal
) -> None:
    factories.a_published_document(tenant)
    run = ended(by, search(REQUEST), an_issue())
    assert run.coverage in {"alta", "media", "baixa"}
    assert run.answer["basis"]
    with tenant_scope(by.tenant_id):
        draft = services.draft_of(principal=by, run=run)
        made = services.confirm(principal=by, run=run, seen_hash=draft.hash)
    assert made.evidencia == run.answer["basis"]


def test_a_request_too_short_to_be_a_reason_asks_for_one(by: Principal) -> None:
    run = ended(by, an_issue(), text="parou")
    assert (run.state, run.answer["missing"]) == (RunState.ASKS, ["justificativa"])
    assert run.command["fields"]["alias"] == "infra"


def test_a_question_back_keeps_what_was_understood(by: Principal) -> None:
    planned = a_choice(final("ask", "limit")).planned
    run = ended(by, Choice(planned, understood=a_task(limit=())))
    assert (run.state, run.answer["missing"]) == (RunState.ASKS, ["limit"])
    assert run.command["task"]["template"] == "servico-acao"
    assert row_of(run) == ("ok", None, "falta dizer: limit")


def test_a_question_back_after_a_refused_command_keeps_that_command(by: Principal) -> None:
    run = ended(by, a_task(limit=()), final("ask", "limit"))
    assert run.command["task"]["server_name"] == "liq-worker-3"


def test_a_hand_over_is_a_row_of_its_own_without_the_planner_s_words(by: Principal) -> None:
    run = ended(by, final("hand_over", words="quer falar com alguém"))
    assert (run.state, run.answer["words"]) == (RunState.HANDOVER, "quer falar com alguém")
    assert row_of(run, "repasse.humano") == ("ok", None, "espera uma pessoa")


def test_what_this_console_does_not_do_is_a_recorded_refusal(by: Principal) -> None:
    run = ended(by, final("refuse"))
    assert (run.state, run.code) == (RunState.REFUSED, "fora_do_console")
    assert row_of(run, "acao.recusada") == ("recusado", None, "fora_do_console")


def test_somebody_who_may_ask_no_longer_gets_nothing_prepared(by: Principal) -> None:
    run = ask(by)
    with tenant_scope(by.tenant_id):
        Membership.objects.filter(user_id=by.user_id).update(roles=[Role.AUDITOR])
    with planning(a_task()):
        run = advance(run)
    assert (run.state, run.code, run.command) == (RunState.REFUSED, "ferramenta_sem_papel", {})


def test_steps_without_end_end_at_the_bound(by: Principal, settings: Settings) -> None:
    settings.OPSPILOT_RUN_STEPS = 3
    run, planner = told(by, *[an_issue(alias="alheio")] * 9)
    assert (run.state, run.code, len(planner.seen)) == (RunState.FAILED, STEPS, 3)
    assert [one.steps_left for one in planner.seen] == [3, 2, 1]
    assert row_of(run)[:2] == ("erro", STEPS)


def test_two_outputs_that_are_no_plan_end_the_run_and_are_paid_for(by: Principal) -> None:
    fault = InvalidOutputError("not_the_shape", completed=MODEL, cost=COST)
    run = ended(by, fault, fault, final("answer"))
    assert (run.state, run.code) == (RunState.FAILED, UNREADABLE)
    assert [(s.tool, s.outcome, s.code, s.cost) for s in steps_of(run)] == [
        ("", "invalid", "not_the_shape", COST)
    ] * 2


def test_a_run_that_worked_too_long_ends(by: Principal, settings: Settings) -> None:
    settings.OPSPILOT_RUN_SECONDS = 0.0
    run = ended(by, final("answer"))
    assert (run.state, run.code, steps_of(run)) == (RunState.FAILED, DEADLINE, [])


def test_an_outage_ends_in_review_and_says_when_to_try(by: Principal) -> None:
    run = ended(by, PlannerUnavailableError("modelo_em_pausa", retry_after=90))
    assert (run.state, run.code) == (RunState.REVIEW, "modelo_em_pausa")
    assert run.try_after is not None
    assert abs(run.try_after - clock.now() - dt.timedelta(seconds=90)) < dt.timedelta(seconds=30)
    assert row_of(run)[:2] == ("erro", "modelo_em_pausa")


def test_an_answer_without_a_search_looks_for_the_request_first(
    tenant: Tenant, by: Principal
) -> None:
    factories.a_published_document(tenant)
    run = ended(by, final("answer"), text=REQUEST)
    assert run.state == RunState.ANSWERED
    assert [step.tool for step in steps_of(run)] == ["search_knowledge", "final_answer"]


def test_a_step_says_which_model_planned_it_and_for_how_much(by: Principal) -> None:
    run = ended(by, a_choice(final("hand_over"), paid=True))
    (step,) = steps_of(run)
    assert (step.model_asked, step.model_served) == ("planner-asked", "planner-served")
    assert (step.tokens_in, step.tokens_out, step.cost) == (700, 30, Decimal("0.25"))
    (row,) = rows_of(run)
    assert (row.modelo, row.instrucao_hash) == ("planner-served", "5" * 64)


def test_the_planner_hears_only_the_names_that_its_requester_may_use(
    tenant: Tenant, by: Principal
) -> None:
    tasking.a_policy(tenant, templates=tasking.templates("servico-acao", roles=["admin"]))
    _run, planner = told(by, final("refuse"))
    known = planner.seen[0].vocabulary
    assert "infra" in known.projects
    assert "servico-acao" not in {one.alias for one in known.templates}
    assert "implantar-servico" in {one.alias for one in known.templates}
