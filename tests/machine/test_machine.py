"""The whole run: `poe machine`. A sample of it is among the tests of the database."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from tests.machine import running

SEQUENCES = int(os.environ.get("MACHINE_SEQUENCES", "2000"))
SEED = int(os.environ.get("MACHINE_SEED", "0")) or running.any_seed()
LEAST_LENGTH, LEAST_FIRED = 15, 200

pytestmark = pytest.mark.machine


def test_no_sequence_of_acts_breaks_a_promise(committed: None, tmp_path: Path) -> None:
    started = time.monotonic()
    print(f"\nseed {SEED}, {SEQUENCES} sequences asked for")
    tally = running.run(
        folder=tmp_path,
        sequences=SEQUENCES,
        seeded=SEED,
        tell=lambda found: print("\n".join(found.lines())),
    )
    seconds = round(time.monotonic() - started, 1)
    print(json.dumps({"seed": SEED, "seconds": seconds, **tally.report()}))
    assert len(tally.lengths) >= SEQUENCES
    assert tally.mean_length >= LEAST_LENGTH
    assert min(tally.fired.values()) >= min(LEAST_FIRED, SEQUENCES // 100)
    assert tally.issues >= SEQUENCES // 20  # a run in which nothing happens proves nothing
