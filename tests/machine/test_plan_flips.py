"""The plan of an entity's page, after twenty new statistics of a trail with a million rows.

Run by `poe flips`. PLAN_ROWS in the environment makes the trail smaller, 100,000 rows at the least.
"""

from __future__ import annotations

import os

import pytest

from tests.conftest import Connection
from tests.db.long_history import a_long_history, timed, touched

pytestmark = [pytest.mark.machine, pytest.mark.usefixtures("committed")]
ROWS = max(100_000, int(os.environ.get("PLAN_ROWS", 1_000_000)))
EVENTS = 20_000  # of the entity
STATISTICS, TRIES = 20, 25


def test_twenty_new_statistics_leave_a_page_within_twice_its_time(
    admin: Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the first page and half way back. Of each time the best of TRIES: the plan's and not that of
    what else the machine does."""
    took: dict[str, list[float]] = {"first": [], "middle": []}
    read: dict[str, list[int]] = {"first": [], "middle": []}
    with a_long_history(admin, rows=ROWS, share=EVENTS * 1000 // ROWS) as long:
        for _statistics in range(STATISTICS):
            admin.execute("ANALYZE agente_acao")
            for name, place in (("first", None), ("middle", long.middle)):
                took[name].append(min(timed(long, place) for _try in range(TRIES)) * 1000)
                read[name].append(touched(long, place).buffers)
    with capsys.disabled():
        for name, values in took.items():
            worst = max(values) / min(values)
            buffers = sorted(set(read[name]))
            print(f"\n{name}: {min(values):.2f} to {max(values):.2f} ms ({worst:.2f} x), {buffers}")
    assert all(max(counts) <= 1.1 * min(counts) for counts in read.values()), read
    assert all(max(values) <= 2 * min(values) for values in took.values()), took
