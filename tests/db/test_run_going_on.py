"""A run between workers and people: resumed, stopped, tried anew, taken over, and its text forgotten."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from grounding.models import Receipt
from grounding.retrieval import consult
from opspilot.errors import NotFoundError
from opspilot.harness import selectors
from opspilot.harness.models import Run, RunState
from opspilot.harness.planning.port import PlannerUnavailableError, Situation
from opspilot.harness.running import acts, steps
from opspilot.harness.running.steps import Made
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import consults, tasking
from tests.db.running import (
    REQUEST,
    advance,
    ask,
    ended,
    forgotten,
    let_the_lease_end,
    make_old,
    read,
    rows_of,
    steps_of,
)
from tests.scripted import Scripted, a_choice, a_task, an_issue, final, planning, search

pytestmark = pytest.mark.usefixtures("committed")
MOST = 30  # statements of a question, from its claim to its answer, and one of the test
AWAY = PlannerUnavailableError("modelo_em_pausa")


@pytest.fixture
def tenant() -> Tenant:
    found = factories.a_tenant()
    tasking.a_policy(found)
    factories.a_published_document(found)
    return found


@pytest.fixture
def by(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR)


def dies(_situation: Situation) -> Any:
    raise KeyboardInterrupt


def receipts_of(run: Run) -> int:
    with tenant_scope(run.tenant_id):
        return Receipt.objects.filter(run=run.ref).count()


def abandoned(by: Principal) -> Run:
    """Its worker searched, planned with a model that was paid for, and died."""
    run = ask(by, REQUEST)
    with planning(a_choice(search(REQUEST), paid=True), dies), pytest.raises(KeyboardInterrupt):
        advance(run)
    let_the_lease_end(run)
    return run


def test_a_run_goes_on_from_the_steps_of_the_worker_that_died(by: Principal) -> None:
    run = abandoned(by)
    with planning(final("answer")) as planner:
        done = advance(run)
    (taken,) = planner.seen[0].taken
    assert (taken.outcome, taken.coverage) == ("done", steps_of(run)[0].coverage)
    assert "systemctl restart payments-consumer" in "".join(p.text for p in taken.passages)
    assert (done.state, receipts_of(run)) == (RunState.ANSWERED, 1)
    assert [step.number for step in steps_of(run)] == [1, 2]


def test_what_was_found_before_is_read_back_as_it_was(by: Principal) -> None:
    run = abandoned(by)
    with planning(final("answer")):
        resumed = advance(run)
    once = ended(by, search(REQUEST), final("answer"), text=REQUEST)
    assert resumed.answer["sentences"] == once.answer["sentences"]
    assert resumed.answer["coverage"] == once.answer["coverage"]


def test_what_the_requester_may_read_no_longer_is_not_read_back(
    by: Principal, tenant: Tenant
) -> None:
    run = abandoned(by)
    consults.take_from(tenant, Role.OPERADOR)
    with planning(final("answer")) as planner:
        done = advance(run)
    assert planner.seen[0].taken[0].passages == ()
    assert done.state == RunState.ABSTAINED


def test_a_step_has_its_number_once(by: Principal) -> None:
    run = ended(by, final("refuse"))
    made = Made(final("refuse"), "done", 1)
    with tenant_scope(by.tenant_id), pytest.raises(IntegrityError), transaction.atomic():
        steps.write(run, 1, made, planner="x", instruction_hash="")


def test_a_late_worker_writes_no_step_and_no_end(by: Principal) -> None:
    run = ask(by)
    second = Scripted(final("refuse"))

    def overtaken(_situation: Situation) -> Any:
        let_the_lease_end(run)
        with planning(*second._said):
            advance(run)
        return an_issue()

    with planning(overtaken):
        done = advance(run)
    assert (done.state, done.command) == (RunState.REFUSED, {})
    assert [step.tool for step in steps_of(run)] == ["final_answer"]
    assert [row.acao for row in rows_of(run)] == ["acao.recusada"]


def stop(by: Principal, run: Run) -> None:
    with tenant_scope(by.tenant_id):
        acts.stop(principal=by, run=run)


def test_a_run_in_the_queue_is_stopped_at_once(by: Principal) -> None:
    run = ask(by)
    stop(by, run)
    with planning(final("answer")) as planner:
        done = advance(run)
    assert (done.state, done.stop_by, planner.seen) == (RunState.STOPPED, by.signature, [])
    assert [row.acao for row in rows_of(run)] == ["rodada.parada"]


def test_a_worker_notices_a_stop_between_two_steps(by: Principal) -> None:
    run = ask(by, REQUEST)

    def stopped(_situation: Situation) -> Any:
        stop(by, run)
        return search(REQUEST)

    with planning(stopped, final("answer")) as planner:
        done = advance(run)
    assert (done.state, len(planner.seen)) == (RunState.STOPPED, 1)
    assert [step.tool for step in steps_of(run)] == ["search_knowledge"]
    assert [row.acao for row in rows_of(run)] == ["rodada.parada", "pedido.interpretado"]


def test_a_command_prepared_while_it_was_stopped_is_not_kept(by: Principal) -> None:
    run = ask(by)

    def stopped(_situation: Situation) -> Any:
        stop(by, run)
        return a_task()

    with planning(stopped):
        done = advance(run)
    assert (done.state, done.command) == (RunState.STOPPED, {})


def test_what_has_ended_is_not_stopped(by: Principal) -> None:
    run = ended(by, final("refuse"))
    with pytest.raises(acts.NothingToStopError):
        stop(by, run)


def test_after_an_outage_a_run_goes_on_from_its_steps(by: Principal) -> None:
    run = ended(by, search(REQUEST), AWAY, text=REQUEST)
    assert run.state == RunState.REVIEW
    with tenant_scope(by.tenant_id):
        acts.try_anew(principal=by, run=run, embedded=False)
    with planning(final("answer")) as planner:
        done = advance(run)
    assert len(planner.seen[0].taken) == 1
    assert (done.state, done.try_after, receipts_of(run)) == (RunState.ANSWERED, None, 1)


def test_a_run_goes_on_by_the_embedded_rules_when_its_requester_says_so(by: Principal) -> None:
    run = ended(by, AWAY, text=REQUEST)
    with tenant_scope(by.tenant_id):
        acts.try_anew(principal=by, run=run, embedded=True)
    done = advance(run)
    assert done.state == RunState.ANSWERED
    assert {step.planner for step in steps_of(run)} == {"regras"}


def test_after_a_bound_a_run_begins_anew(by: Principal, settings: Any) -> None:
    settings.OPSPILOT_RUN_STEPS = 1
    run = ended(by, search(REQUEST), text=REQUEST)
    settings.OPSPILOT_RUN_STEPS = 6
    with tenant_scope(by.tenant_id):
        acts.try_anew(principal=by, run=run, embedded=False)
    with planning(final("refuse")) as planner:
        advance(run)
    assert planner.seen[0].taken == ()
    assert [step.number for step in steps_of(run)] == [1, 2]


def test_only_its_requester_tries_a_run_anew_and_only_after_a_failure(
    by: Principal, tenant: Tenant
) -> None:
    run = ended(by, AWAY)
    other = factories.a_principal(tenant, Role.ADMIN)
    done = ended(by, final("refuse"))
    with tenant_scope(by.tenant_id):
        with pytest.raises(acts.NothingToTryAnewError):
            acts.try_anew(principal=other, run=run, embedded=False)
        with pytest.raises(acts.NothingToTryAnewError):
            acts.try_anew(principal=by, run=done, embedded=False)


def test_one_person_takes_a_hand_over_and_the_next_is_told(by: Principal, tenant: Tenant) -> None:
    run = ended(by, final("hand_over"))
    first = factories.a_principal(tenant, Role.APROVADOR)
    with tenant_scope(by.tenant_id):
        assert selectors.with_people(limit=5) == [run]
        acts.take(principal=first, run=run)
        with pytest.raises(acts.NothingToTakeError):
            acts.take(principal=factories.a_principal(tenant, Role.ADMIN), run=run)
    assert read(run).held_by == first.signature
    assert [row.acao for row in rows_of(run)] == ["repasse.humano", "repasse.assumido"]


def test_another_company_s_run_is_not_there_to_be_stopped(by: Principal) -> None:
    run = ask(by)
    stranger = factories.a_principal(factories.a_tenant(), Role.ADMIN)
    with tenant_scope(stranger.tenant_id), pytest.raises(NotFoundError):
        selectors.run(principal=stranger, ref=run.ref)


def test_after_its_term_the_text_of_a_request_is_nowhere_in_its_run(by: Principal) -> None:
    run = ended(by, search(REQUEST), an_issue(), text=REQUEST)
    make_old(run)
    done = forgotten(run)
    assert (done.question, done.command) == ("", {})
    assert done.text_gone_at is not None
    assert [step.arguments for step in steps_of(run)] == [{}, {}]
    assert [row.acao for row in rows_of(run)] == ["pedido.interpretado"]


def test_a_younger_request_and_an_open_one_keep_their_text(by: Principal) -> None:
    young, waiting = ended(by, final("refuse"), text=REQUEST), ask(by, REQUEST)
    make_old(waiting)
    assert forgotten(young).question == REQUEST
    assert read(waiting).question == REQUEST


def test_the_arguments_of_a_step_cannot_be_rewritten(by: Principal) -> None:
    run = ended(by, final("refuse"))
    with tenant_scope(run.tenant_id), pytest.raises(DatabaseError), transaction.atomic():
        connection.cursor().execute('UPDATE run_step SET arguments = \'{"ending": "ask"}\'')


def test_a_pasted_log_is_searched_as_it_came(
    by: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    prepare = consult.prepare

    def noting(text: str, **known: Any) -> consult.Query:
        asked.append(text)
        return prepare(text, **known)

    monkeypatch.setattr(consult, "prepare", noting)
    text = f"{REQUEST}\n" + "2026-11-30 10:00:00 ERROR queue stuck on pag-01\n" * 20
    ended(by, search(text.strip()[:500]), final("answer"), text=text)
    assert asked == [text.strip()]


def test_a_plain_question_asks_the_database_no_more_than_it_must(by: Principal) -> None:
    ended(by, search(REQUEST), final("answer"), text=REQUEST)  # the process knows the policy now
    run = ask(by, REQUEST)
    with CaptureQueriesContext(connection) as asked:
        assert advance(run).state == RunState.ANSWERED
    words = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "SELECT coalesce(current_setting")
    work = [query["sql"] for query in asked if not query["sql"].startswith(words)]
    assert len(work) <= MOST, "\n".join(sql[:90] for sql in work)
