"""Which commits count, and what the bench says of its figures."""

from __future__ import annotations

import pytest

from opspilot.bench import harness
from opspilot.bench.harness_inside import commits


def test_only_what_a_disk_is_waited_for_counts() -> None:
    said = [
        "BEGIN",
        "SELECT 1",
        "COMMIT",
        "BEGIN",
        "SELECT set_config('x', 'y', true)",
        'UPDATE "run" SET state = 1',
        "INSERT INTO agente_acao VALUES (1)",
        "COMMIT",
        "BEGIN",
        "INSERT INTO run VALUES (1)",
        "ROLLBACK",
        "SELECT take_slot('model:x')",
        "\nUPDATE connector_slot SET holder_token = NULL",
        "INSERT INTO connector_breaker AS b VALUES (1)",
    ]
    assert commits(said) == 2


def test_a_savepoint_ends_no_transaction() -> None:
    said = ["BEGIN", "SAVEPOINT a", "UPDATE run SET x = 1", "ROLLBACK TO SAVEPOINT a", "COMMIT"]
    assert commits(said) == 1


@pytest.mark.parametrize(("run", "within"), [(0.012, True), (0.013, False)])
def test_a_run_may_take_three_times_its_commits(run: float, within: bool) -> None:
    found = harness.Found(rounds=3, runs=1, commits=4, statements=40)
    found.per_run, found.per_run_cpu, found.per_commit = [run] * 3, [0.001] * 3, [0.001] * 3
    told = harness.as_json(found)
    assert told["overhead_vs_commits"] == run / 0.004
    assert told["within_limits"] is within


def test_nothing_measured_is_said() -> None:
    assert harness.as_json(harness.Found(rounds=3, runs=1)) == {"ok": False}
