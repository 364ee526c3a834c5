"""`poe mutants`: whether the machine sees each rule that is broken on purpose, and nothing else."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.machine import mutating
from tests.machine.mutants import MUTANTS

BOUND = int(os.environ.get("MUTANT_SEQUENCES", "1500"))
CLEAN = int(os.environ.get("MUTANT_CLEAN_SEQUENCES", "300"))
CHOSEN = [m for m in MUTANTS if os.environ.get("MUTANT", "") in m.name]
SEED = int(os.environ.get("MACHINE_SEED", "0")) or 20_260_101

pytestmark = pytest.mark.machine


def test_each_rule_broken_on_purpose_is_seen_and_nothing_else(tmp_path: Path) -> None:
    print(f"\nseed {SEED}, at most {BOUND} sequences a mutant")
    clean = mutating.run(None, folder=tmp_path / "clean", sequences=CLEAN, seeded=SEED)
    print(clean.line)
    found = []
    for number, mutant in enumerate(CHOSEN):
        folder = tmp_path / str(number)
        found.append(mutating.run(mutant, folder=folder, sequences=BOUND, seeded=SEED))
        print(found[-1].line, flush=True)
    caught = [outcome.name for outcome in found if outcome.broken]
    print(json.dumps({"caught": len(caught), "of": len(CHOSEN), "clean": not clean.broken}))
    assert clean.broken == ""
    assert caught == [mutant.name for mutant in CHOSEN]
