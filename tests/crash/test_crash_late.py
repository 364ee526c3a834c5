"""A worker that stands still (SIGSTOP) past its lease and goes on (SIGCONT): it changes no row, sends
nothing, and what took over from it stands."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from approvals.models import Execution, ExecutionAttempt
from audit.models import AgenteAcao
from opspilot.tenancy.scope import tenant_scope
from tests.crash.running import start
from tests.crash.stage import GitLabStage, SemaphoreStage, Stage, Work
from tests.crash.workers import Worker

pytestmark = pytest.mark.crash
PATIENCE = 30.0
# Where a process holds a claim and no transaction. Inside one (`before_commit`) it holds the row
# itself: whoever takes over waits for it, and `test_crash_matrix` kills it there.
STOPS = (
    "after_claim",
    "intent_written",
    "connected",
    "half_sent",
    "sent",
    "answer_read",
    "mid_reconcile",
)


@pytest.fixture(scope="module", params=[GitLabStage, SemaphoreStage])
def stage(
    request: pytest.FixtureRequest,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Stage]:
    with django_db_blocker.unblock():
        stage = request.param(tmp_path_factory.mktemp("late"))
        yield stage
        stage.close()


def stands_still(worker: Worker) -> None:
    deadline = time.monotonic() + PATIENCE
    while not worker.is_stopped():
        assert time.monotonic() < deadline, "it was not stopped"
        time.sleep(0.05)


def everything(work: Work) -> list[object]:
    """Of the execution, all that a worker writes."""
    with tenant_scope(work.tenant.pk):
        rows = [
            Execution.objects.filter(pk=work.execution).values(),
            ExecutionAttempt.objects.filter(execution=work.execution).order_by("pk").values(),
            AgenteAcao.objects.order_by("pk").values(),
        ]
        return [list(found) for found in rows]


@pytest.mark.parametrize("point", STOPS)
def test_a_worker_that_goes_on_after_its_lease_changes_no_row_and_sends_nothing(
    stage: Stage, point: str
) -> None:
    work = stage.work()
    if point == "mid_reconcile":
        stage.order(work, outcome="error_stored")
    late = start(stage, work, point=point, act="stop")
    stands_still(late)
    start(stage, work).end()
    before, sent = everything(work), stage.requests()[work.marker]
    late.continue_()
    assert late.end() == 0
    assert everything(work) == before
    assert stage.requests()[work.marker] == sent
    assert stage.effects()[work.marker] <= 1
