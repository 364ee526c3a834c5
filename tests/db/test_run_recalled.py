"""What a second worker knows of the first one's work: no more than is true now, and no better."""

from __future__ import annotations

from typing import Any

import pytest

from audit import trail
from grounding.life import retiring
from grounding.models import Receipt, Version
from grounding.retrieval import consult, coverage
from grounding.retrieval.coverage import Coverage, Level
from opspilot.harness.models import Run, RunState
from opspilot.harness.planning.port import PlannerUnavailableError, Situation, Taken
from opspilot.harness.running import acts
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import consults, tasking
from tests.db.running import REQUEST, advance, ask, ended, let_the_lease_end, read, rows_of
from tests.scripted import Said, a_choice, an_issue, final, planning, search

pytestmark = pytest.mark.usefixtures("committed")
OTHER = "# Orders\n\nTo restart the consumer of the orders queue: `systemctl restart orders`.\n"
AWAY = PlannerUnavailableError("modelo_em_pausa")


@pytest.fixture
def tenant() -> Tenant:
    found = factories.a_tenant()
    tasking.a_policy(found)
    return found


@pytest.fixture
def runbook(tenant: Tenant) -> Version:
    return factories.a_published_document(tenant)


@pytest.fixture
def by(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR)


def dies(_situation: Situation) -> Said:
    raise KeyboardInterrupt


def left(by: Principal, *said: Said) -> Run:
    """Its worker died after these; its lease still runs."""
    run = ask(by, REQUEST)
    with planning(*said, dies), pytest.raises(KeyboardInterrupt):
        advance(run)
    return run


def resumed(run: Run, *said: Said) -> tuple[Run, tuple[Taken, ...]]:
    let_the_lease_end(run)
    with planning(*said) as planner:
        return advance(run), planner.seen[0].taken


def retire(tenant: Tenant, version: Version) -> None:
    admin = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        retiring.retire(admin=admin, document=version.document, reason="o host saiu de uso")


def judged(monkeypatch: pytest.MonkeyPatch, *levels: Level) -> None:
    """Each search by the next of these."""
    given = iter(levels)
    monkeypatch.setattr(
        coverage, "assess", lambda _signals: Coverage(next(given), 0.9, (), coverage.CALIBRATION)
    )


def counted(monkeypatch: pytest.MonkeyPatch, tenant: Tenant, run: Run) -> list[str]:
    """Every text that is made ready to be searched; the lease ends meanwhile."""
    seen: list[str] = []
    prepared = consults.prepared(tenant)

    def slowly(text: str, **known: Any) -> consult.Query:
        seen.append(text)
        let_the_lease_end(run)
        return prepared(text, **known)

    monkeypatch.setattr(consult, "prepare", slowly)
    return seen


def receipts_of(run: Run) -> int:
    with tenant_scope(run.tenant_id):
        return Receipt.objects.filter(run=run.ref).count()


def test_a_search_with_nothing_granted_is_recalled_as_one_that_found_nothing(
    by: Principal, tenant: Tenant, runbook: Version
) -> None:
    consults.take_from(tenant, Role.OPERADOR)
    run = left(by, search(REQUEST))
    done, (taken,) = resumed(run, final("answer"))
    assert (taken.coverage, taken.passages) == ("nenhuma", ())
    assert (done.state, receipts_of(run)) == (RunState.ABSTAINED, 1)


def test_what_is_recalled_without_its_passages_covers_nothing(
    by: Principal, tenant: Tenant, runbook: Version
) -> None:
    run = left(by, search(REQUEST))
    consults.take_from(tenant, Role.OPERADOR)
    done, (taken,) = resumed(run, final("hand_over"))
    assert (taken.coverage, done.coverage) == ("nenhuma", "nenhuma")


def test_what_is_recalled_with_some_of_its_passages_covers_little(
    by: Principal, tenant: Tenant, runbook: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = factories.a_published_document(tenant, text=OTHER, name="pedidos.md")
    judged(monkeypatch, "alta")
    run = left(by, search(REQUEST))
    retire(tenant, other)
    done, (taken,) = resumed(run, an_issue())
    assert taken.passages
    assert not any("orders" in passage.text for passage in taken.passages)
    assert (taken.coverage, done.coverage) == ("baixa", "baixa")


def test_what_is_recalled_whole_covers_as_much_as_it_did(
    by: Principal, runbook: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(monkeypatch, "alta")
    _done, (taken,) = resumed(left(by, search(REQUEST)), an_issue())
    assert taken.coverage == "alta"


def test_a_version_that_is_out_of_force_is_not_found_again(
    by: Principal, tenant: Tenant, runbook: Version
) -> None:
    run = left(by, search(REQUEST))
    retire(tenant, runbook)
    done, (taken,) = resumed(run, final("answer"))
    assert taken.passages == ()
    assert done.state == RunState.ABSTAINED


@pytest.mark.parametrize(
    ("levels", "kept"),
    [(("nenhuma", "alta"), "baixa"), (("media", "alta"), "media"), (("media",), "media")],
)
def test_a_command_is_kept_under_no_better_coverage_than_the_try_s_searches(
    by: Principal, runbook: Version, monkeypatch: pytest.MonkeyPatch, levels: Any, kept: str
) -> None:
    judged(monkeypatch, *levels)
    run = ended(by, *[search(REQUEST) for _one in levels], an_issue(), text=REQUEST)
    assert (run.state, run.coverage) == (RunState.PREPARED, kept)


def test_a_command_is_not_prepared_where_the_last_search_found_nothing(
    by: Principal, runbook: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(monkeypatch, "alta", "nenhuma")
    run = ended(by, search(REQUEST), search(), an_issue(), final("refuse"), text=REQUEST)
    assert (run.state, run.code, run.coverage) == (RunState.REFUSED, "sem_base", "nenhuma")


def test_a_search_of_a_worker_before_counts_for_the_coverage_of_the_command(
    by: Principal, runbook: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(monkeypatch, "nenhuma", "alta")
    done, _taken = resumed(left(by, search(REQUEST)), search(REQUEST), an_issue())
    assert done.coverage == "baixa"


def test_a_try_without_a_search_keeps_no_coverage_of_an_earlier_try(
    by: Principal, runbook: Version, settings: Any
) -> None:
    settings.OPSPILOT_RUN_STEPS = 1
    run = ended(by, search(REQUEST), text=REQUEST)
    assert run.coverage is not None
    with tenant_scope(by.tenant_id):
        acts.try_anew(principal=by, run=run, embedded=False)
    with planning(an_issue()):
        done = advance(run)
    assert (done.state, done.coverage) == (RunState.PREPARED, None)


@pytest.mark.parametrize("attempts", [1, 3])
def test_a_run_that_is_being_stopped_is_ended_by_its_next_worker_without_a_look(
    by: Principal, tenant: Tenant, runbook: Version, monkeypatch: Any, attempts: int
) -> None:
    run = left(by, search(REQUEST))
    with tenant_scope(by.tenant_id):
        acts.stop(principal=by, run=run)
        Run.objects.filter(pk=run.pk).update(attempts=attempts)
    looked = counted(monkeypatch, tenant, run)
    let_the_lease_end(run)
    assert (advance(run).state, looked) == (RunState.STOPPED, [])


def test_a_worker_whose_lease_has_ended_does_not_look(by: Principal, runbook: Version) -> None:
    run = ask(by, REQUEST)

    def slowly(_situation: Situation) -> Said:
        let_the_lease_end(run)
        return search(REQUEST)

    with planning(slowly):
        assert advance(run).state == RunState.RUNNING
    assert receipts_of(run) == 0


def test_a_worker_whose_lease_has_ended_recalls_no_further(
    by: Principal, tenant: Tenant, runbook: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = left(by, search(REQUEST), search("how to restart"))
    let_the_lease_end(run)
    looked = counted(monkeypatch, tenant, run)
    with planning() as planner:
        advance(run)
    assert (looked, planner.seen, read(run).state) == ([REQUEST], [], RunState.RUNNING)


def test_the_end_names_the_model_that_an_earlier_worker_asked(
    by: Principal, runbook: Version
) -> None:
    run = left(by, a_choice(search(REQUEST), paid=True))
    resumed(run, final("hand_over"))
    (row,) = rows_of(run)
    assert (row.modelo, row.modelo_pedido) == ("planner-served", "planner-asked")


def test_the_end_of_a_run_that_went_on_embedded_names_no_model(
    by: Principal, runbook: Version
) -> None:
    run = ended(by, a_choice(search(REQUEST), paid=True), AWAY, text=REQUEST)
    with tenant_scope(by.tenant_id):
        acts.try_anew(principal=by, run=run, embedded=True)
    with planning(final("hand_over")):
        advance(run)
    assert rows_of(run)[-1].modelo == trail.NO_MODEL
