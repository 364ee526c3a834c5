"""Twelve moments to die at, ten answers of the remote, three ways to go on: an issue is made once.

`CRASH_SEED` draws the listing of each run again as it was.
"""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from pytest_django import DjangoDbBlocker

from tests.crash import model, running, table
from tests.crash.model import Cell
from tests.crash.running import Run
from tests.crash.stage import GitLabStage

pytestmark = pytest.mark.crash
SEED = os.environ.get("CRASH_SEED") or uuid.uuid4().hex[:8]


@pytest.fixture(scope="module")
def stage(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[GitLabStage]:
    with django_db_blocker.unblock():
        stage = GitLabStage(tmp_path_factory.mktemp("gitlab"))
        yield stage
        stage.close()


@dataclass
class Played:
    """All runs of this session: whichever test comes second plays only what is left."""

    runs: list[Run] = field(default_factory=list)
    seconds: float = 0.0

    def play(self, stage: GitLabStage, cells: list[Cell]) -> None:
        known, began = {run.cell for run in self.runs}, time.monotonic()
        left = [cell for cell in cells if cell not in known]
        self.runs.extend(running.all_of(stage, left, seed=SEED))
        self.seconds += time.monotonic() - began

    def printed(self) -> str:
        return table.printed(
            self.runs,
            title="GitLab, an issue created",
            seed=SEED,
            seconds=self.seconds,
            resends=True,
        )


@pytest.fixture(scope="module")
def played() -> Played:
    return Played()


def test_in_a_fixed_sample_of_deaths_each_issue_is_made_once_or_its_state_is_said(
    stage: GitLabStage, played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    played.play(stage, model.sample())
    with capsys.disabled():
        print(played.printed())
    table.hold(played.runs, resends=True)


def test_in_every_death_each_issue_is_made_once_or_its_state_is_said(
    stage: GitLabStage, played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    played.play(stage, model.cells())
    with capsys.disabled():
        print(played.printed())
    table.hold(played.runs, resends=True)
