"""Four things that take the marker's word away: a person decides, and no second request leaves.

Each befalls what the remote has stored and not answered for, so that a look-up is all there is.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from approvals.models import Execution, ExecutionState
from tests.crash.running import start
from tests.crash.stage import GitLabStage, SemaphoreStage, Stage, Work

pytestmark = pytest.mark.crash


@pytest.fixture(scope="module")
def gitlab(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[GitLabStage]:
    with django_db_blocker.unblock():
        stage = GitLabStage(tmp_path_factory.mktemp("gitlab"))
        yield stage
        stage.close()


@pytest.fixture(scope="module")
def semaphore(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[SemaphoreStage]:
    with django_db_blocker.unblock():
        stage = SemaphoreStage(tmp_path_factory.mktemp("semaphore"))
        yield stage
        stage.close()


def carried_to_its_end(stage: Stage, extra: str, outcome: str = "error_stored") -> Work:
    work = stage.work()
    stage.order(work, outcome=outcome, extra=extra)
    try:
        start(stage, work).end()
    finally:
        stage.forget()
    return work


def waits_for_a_person(row: Execution) -> bool:
    """Nothing is looked for, nothing is sent, and nothing is called done."""
    states = (ExecutionState.DESCONHECIDA, ExecutionState.DIVERGENTE)
    return row.state in states and row.next_lookup_at is None


@pytest.mark.parametrize("extra", ["marker_edited", "two_with_marker", "list_down"])
def test_an_issue_that_cannot_be_told_for_ours_waits_for_a_person_and_is_not_sent_again(
    gitlab: GitLabStage, extra: str
) -> None:
    work = carried_to_its_end(gitlab, extra)
    assert waits_for_a_person(work.row())
    assert gitlab.requests()[work.marker] == 1


@pytest.mark.parametrize("extra", ["marker_edited", "two_with_marker", "list_down"])
def test_a_task_that_cannot_be_told_for_ours_waits_for_a_person_and_is_not_started_again(
    semaphore: SemaphoreStage, extra: str
) -> None:
    work = carried_to_its_end(semaphore, extra)
    assert waits_for_a_person(work.row())
    assert semaphore.requests()[work.marker] == 1


def test_of_a_project_that_has_moved_meanwhile_nothing_is_called_done_and_nothing_is_sent_again(
    gitlab: GitLabStage,
) -> None:
    try:
        work = carried_to_its_end(gitlab, "project_moved")
        assert waits_for_a_person(work.row())
        assert gitlab.requests()[work.marker] == 1
    finally:
        gitlab.move_back()


def test_in_a_project_that_moved_before_the_second_request_it_is_not_sent(
    gitlab: GitLabStage,
) -> None:
    work = gitlab.work()
    gitlab.order(work, outcome="error_not_stored")
    try:
        gitlab.move("aurora/infra-mudado")
        start(gitlab, work).end()
        assert waits_for_a_person(work.row()) or work.row().state == ExecutionState.BLOQUEADA
        assert gitlab.requests()[work.marker] == 0
    finally:
        gitlab.move_back()
        gitlab.forget()
