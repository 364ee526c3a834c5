"""The text of old requests goes from wherever a run and the laboratory keep it, and from nowhere else."""

from __future__ import annotations

import datetime as dt
import threading

import pytest
from django.db import connection, connections
from django.db.models import F

from grounding.lab import questions
from grounding.models import LabQuestion, LabState
from opspilot.harness import services
from opspilot.harness.models import Run, RunState
from opspilot.harness.running import acts, forgetting
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import tasking
from tests.db.browsing import as_
from tests.db.running import ended, forgotten, make_old, read
from tests.scripted import final

pytestmark = pytest.mark.usefixtures("committed")
WHY = "A fila parou e clientes esperam."


@pytest.fixture
def tenant() -> Tenant:
    found = factories.a_tenant()
    tasking.a_policy(found)
    return found


@pytest.fixture
def by(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR)


def filled_in(by: Principal, run: Run) -> Run:
    with tenant_scope(by.tenant_id):
        services.fill_in(
            principal=by,
            run=run,
            data=factories.a_command(title="A fila parou"),
            justification=WHY,
            document="",
        )
    return run


def a_command(by: Principal) -> Run:
    with tenant_scope(by.tenant_id):
        run = services.opened(by)
    return filled_in(by, run)


def test_an_explicit_command_that_was_never_proposed_loses_it(by: Principal) -> None:
    run = a_command(by)
    make_old(run)
    assert (forgotten(run).command, read(run).text_gone_at is None) == ({}, False)


def test_its_page_says_so_and_offers_nothing_to_confirm(by: Principal) -> None:
    run = a_command(by)
    make_old(run)
    forgotten(run)
    page = as_(by).read(f"/rodadas/{run.ref}/")
    assert "O prazo de guarda do texto passou" in page
    assert "Revisar e confirmar" not in page


def test_an_explicit_command_that_was_proposed_keeps_it(by: Principal) -> None:
    run = a_command(by)
    with tenant_scope(by.tenant_id):
        seen = services.draft_of(principal=by, run=run).hash
        services.confirm(principal=by, run=run, seen_hash=seen)
    make_old(run)
    assert forgotten(run).command["justification"] == WHY


def test_the_planner_s_words_go_and_the_rest_of_the_answer_stays(by: Principal) -> None:
    run = ended(by, final("ask", "title", words="a fila de liquidação parou"))
    make_old(run)
    assert "words" in run.answer
    assert forgotten(run).answer == {k: v for k, v in run.answer.items() if k != "words"}


def test_what_is_filled_in_afterwards_goes_in_its_turn(by: Principal) -> None:
    run = ended(by, final("ask", "title"))
    make_old(run)
    filled_in(by, forgotten(run))
    assert read(run).command["justification"] == WHY
    assert "Pedido cujo texto já foi apagado" in as_(by).read(f"/rodadas/{run.ref}/")
    assert forgotten(run).command == {}


def test_no_run_is_tried_anew_while_its_text_goes(by: Principal) -> None:
    run = ended(by, final("refuse"))
    with tenant_scope(by.tenant_id):
        Run.objects.filter(pk=run.pk).update(state=RunState.FAILED)
    make_old(run)
    refused: list[str] = []

    def anew() -> None:
        try:
            with tenant_scope(by.tenant_id), connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '20s'")
                acts.try_anew(principal=by, run=run, embedded=False)
        except acts.NothingToTryAnewError as exc:
            refused.append(exc.code)
        finally:
            connections.close_all()

    other = threading.Thread(target=anew)
    with tenant_scope(by.tenant_id):
        assert forgetting._locked(dt.datetime.now(dt.UTC)) == [run.pk]
        other.start()
        other.join(0.3)
        assert other.is_alive(), "it waits for the one who empties"
        forgetting.forget()
    other.join()
    assert (refused, read(run).state) == (["rodada_sem_nova_tentativa"], RunState.FAILED)


@pytest.mark.parametrize(
    ("state", "stays"),
    [(LabState.WAITING, False), (LabState.DROPPED, False), (LabState.TEST, True)],
)
def test_the_laboratory_keeps_an_old_question_only_as_a_test(
    by: Principal, state: LabState, stays: bool
) -> None:
    run = ended(by, final("refuse"))
    with tenant_scope(by.tenant_id):
        questions.did_not_help(principal=by, text=run.question, run=run.ref, note="")
        LabQuestion.objects.update(state=state, at=F("at") - dt.timedelta(days=91))
        forgetting.forget()
        assert LabQuestion.objects.exists() == stays


def test_the_laboratory_keeps_a_younger_question(by: Principal) -> None:
    run = ended(by, final("refuse"))
    with tenant_scope(by.tenant_id):
        questions.did_not_help(principal=by, text=run.question, run=run.ref, note="")
        forgetting.forget()
        assert LabQuestion.objects.exists()
