"""Runs the machine on this process's database, with a remote of its own."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
from django.test import override_settings
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.machine import companies, remote
from tests.machine.approvals_machine import ApprovalsMachine
from tests.machine.tally import Tally

STEPS = 24
BATCH = 10  # sequences of one seed; after ten, most are variations of those before


def run(
    *, folder: Path, sequences: int, seeded: int, tell: Callable[[Tally], None] | None = None
) -> Tally:
    """Run that many sequences; an AssertionError names the promise that was broken.

    `tell` hears the counts also when a promise was broken.
    """
    tally = Tally()
    address = os.environ["DATABASE_URL_ADMIN"]
    with (
        remote.running(folder) as there,
        psycopg.connect(address, autocommit=True) as owner,
        override_settings(OPSPILOT_GITLAB_URL=there.base_url, OPSPILOT_GITLAB_TIMEOUT=1.0),
    ):
        facts = {"remote": there, "owner": owner, "users": companies.users(), "tally": tally}
        try:
            while (left := sequences - len(tally.lengths)) > 0:
                machine = _seeded(type("Approvals", (ApprovalsMachine,), facts), seeded)
                run_state_machine_as_test(
                    machine, settings=_settings(min(BATCH, left)), _min_steps=STEPS - 4
                )
                seeded += 1
        finally:
            if tell is not None:
                tell(tally)
    return tally


def any_seed() -> int:
    return random.SystemRandom().randrange(2**32)


def _seeded(machine: Any, number: int) -> Any:
    return seed(number)(machine)


def _settings(sequences: int) -> settings:
    """Nothing is kept and nothing made smaller: a broken promise is reported as it was found."""
    return settings(
        max_examples=sequences,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
