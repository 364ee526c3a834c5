"""A run whose search fails or whose planner says what is none of its calls: it ends, and is not paid
for twice."""

from __future__ import annotations

from typing import Any

import pytest

from grounding.retrieval import consult
from opspilot.connectors.errors import RefusedByRemoteError, UnavailableError
from opspilot.harness.models import Run, RunState
from opspilot.harness.planning.port import Choice, FinalAnswer, Planned
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from tests import factories
from tests.db import tasking
from tests.db.running import REQUEST, advance, ask, ended, let_the_lease_end, steps_of, told
from tests.scripted import COST, Said, a_choice, a_task, final, planning, search

pytestmark = pytest.mark.usefixtures("committed")


class Foreign:
    """Takes the name of a tool that the requester has."""

    tool = "search_knowledge"


@pytest.fixture
def tenant() -> Tenant:
    found = factories.a_tenant()
    tasking.a_policy(found)
    factories.a_published_document(found)
    return found


@pytest.fixture
def by(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR)


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fails(_text: str, **_known: Any) -> consult.Query:
        raise error

    monkeypatch.setattr(consult, "prepare", fails)


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, UnavailableError("the endpoint did not answer"))


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, RefusedByRemoteError("the endpoint refused the text", 413))


def outcomes(run: Run) -> list[tuple[str, str, str]]:
    return [(step.tool, step.outcome, step.code) for step in steps_of(run)]


@pytest.mark.usefixtures("away")
@pytest.mark.parametrize("said", [final("answer"), search()])
def test_a_paid_plan_whose_search_is_away_ends_in_review(by: Principal, said: Any) -> None:
    run = ended(by, a_choice(said, paid=True), text=REQUEST)
    assert (run.state, run.code) == (RunState.REVIEW, "busca_indisponivel")
    assert run.try_after is not None
    assert [(step.outcome, step.cost) for step in steps_of(run)] == [("refused", COST)]


@pytest.mark.usefixtures("away")
def test_a_free_plan_whose_search_is_away_goes_on_waiting(by: Principal) -> None:
    run = ended(by, final("answer"), text=REQUEST)
    assert (run.state, run.attempts, steps_of(run)) == (RunState.QUEUED, 0, [])


@pytest.mark.usefixtures("refusing")
def test_a_planner_is_told_that_its_query_was_refused(by: Principal) -> None:
    run, planner = told(by, search(), a_task(), text=REQUEST)
    (taken,) = planner.seen[1].taken
    assert (taken.outcome, taken.code, taken.passages) == ("refused", "busca_recusada", ())
    assert (run.state, run.coverage) == (RunState.PREPARED, None)


@pytest.mark.usefixtures("refusing")
def test_a_request_that_the_search_refuses_ends_as_not_concluded(by: Principal) -> None:
    run = ended(by, final("answer"), text=REQUEST)
    assert (run.state, run.code) == (RunState.FAILED, "busca_recusada")
    assert outcomes(run) == [("final_answer", "refused", "busca_recusada")]


def test_a_query_that_is_refused_by_now_counts_as_one_that_found_nothing(
    by: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(by, REQUEST)
    with planning(search(REQUEST), dies), pytest.raises(KeyboardInterrupt):
        advance(run)
    let_the_lease_end(run)
    failing(monkeypatch, RefusedByRemoteError("the endpoint refused the text", 413))
    with planning(final("hand_over")) as planner:
        done = advance(run)
    assert (planner.seen[0].taken[0].coverage, done.coverage) == ("nenhuma", "nenhuma")


def dies(_situation: Any) -> Said:
    raise KeyboardInterrupt


def test_a_call_of_no_known_kind_ends_the_run_as_refused(by: Principal) -> None:
    planned = Planned.model_construct(intent="change", call=Foreign())
    run = ended(by, Choice(planned))
    assert (run.state, run.code) == (RunState.REFUSED, "ferramenta_negada")
    assert outcomes(run) == [("", "refused", "ferramenta_negada")]


def test_a_call_of_a_tool_that_nobody_has_is_told_from_one_that_is_not_theirs(
    by: Principal,
) -> None:
    call = Foreign()
    call.tool = "approve"
    run = ended(by, Choice(Planned.model_construct(intent="change", call=call)))
    assert (run.state, run.code) == (RunState.REFUSED, "ferramenta_desconhecida")


def test_an_ending_that_there_is_not_ends_the_run_as_refused(by: Principal) -> None:
    call = FinalAnswer.model_construct(ending="approve")
    run = ended(by, Choice(Planned.model_construct(intent="change", call=call)))
    assert (run.state, run.code) == (RunState.REFUSED, "ferramenta_negada")
