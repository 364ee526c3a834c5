"""The same deaths and answers for a task in Semaphore: 120 runs, the recoveries in turn.

A second request would be a second task on real machines: it is never sent, so the honest end of many
is that the console does not know.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from tests.crash import model, running, table
from tests.crash.stage import SemaphoreStage
from tests.crash.test_crash_matrix import SEED

pytestmark = pytest.mark.crash


@pytest.fixture(scope="module")
def stage(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[SemaphoreStage]:
    with django_db_blocker.unblock():
        stage = SemaphoreStage(tmp_path_factory.mktemp("semaphore"))
        yield stage
        stage.close()


def test_in_every_death_a_task_is_started_at_most_once_and_what_is_not_known_is_said(
    stage: SemaphoreStage, capsys: pytest.CaptureFixture[str]
) -> None:
    began = time.monotonic()
    runs = running.all_of(stage, model.rotating(), seed=SEED)
    with capsys.disabled():
        print(
            table.printed(
                runs,
                title="Semaphore, a task started",
                seed=SEED,
                seconds=time.monotonic() - began,
                resends=False,
            )
        )
    table.hold(runs, resends=False)
