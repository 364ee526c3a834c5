"""A small sample of the state machine, the same sequences each time; `poe machine` runs all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Connection
from tests.machine import mutating, running
from tests.machine.mutants import MUTANTS, Patch, patched

SEQUENCES, SEED = 25, 20_260_101
IN_SQL = [patch for mutant in MUTANTS for patch in mutant.triggers]


def test_a_sample_of_sequences_breaks_no_promise(committed: None, tmp_path: Path) -> None:
    tally = running.run(folder=tmp_path, sequences=SEQUENCES, seeded=SEED)
    assert len(tally.lengths) >= SEQUENCES
    assert tally.issues > 0


@pytest.mark.parametrize("patch", IN_SQL)
def test_what_a_mutant_breaks_in_sql_is_in_force(owner: Connection, patch: Patch) -> None:
    body = mutating.definition(owner, patch.place)
    assert patched(body, patch.old, patch.new) != body
