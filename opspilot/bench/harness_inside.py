"""The half of `bench harness` that runs as the application itself, in the throw-away instance.

Not a management command: a model that is none answers here, which no company should meet by a slip.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from typing import Any
from uuid import UUID

import django

COMPANY, MODEL = "medida", "instantaneo"
# No question to look up and no command: so a model is asked, and what it says ends the run.
REQUEST = "Preciso que alguém veja o que fazer com o servidor antigo depois da mudança."
PLAN = {
    "intent": "change",
    "call": {
        "tool": "final_answer",
        "ending": "hand_over",
        "missing": [],
        "words": "Uma pessoa decide.",
    },
}
_WRITES = ("INSERT", "UPDATE", "DELETE", "WITH")
_UNLOGGED = ("UPDATE CONNECTOR_SLOT",)  # no disk is waited for


def main(arguments: list[str]) -> None:
    """ROUNDS RUNS; ends with one JSON object. What is imported in the functions needs Django to be set
    up first."""
    django.setup()
    rounds, runs = (int(value) for value in arguments)
    sys.stdout.write(json.dumps(_measured(rounds, runs)) + "\n")


def commits(statements: Iterable[str]) -> int:
    """How many of the transactions in these statements wrote something that a disk is waited for."""
    found, is_open, has_written = 0, False, False
    for statement in statements:
        said = " ".join(statement.upper().split())
        if said.startswith("BEGIN"):
            is_open, has_written = True, False
        elif said.startswith(("COMMIT", "ROLLBACK")) and is_open and "SAVEPOINT" not in said:
            found += has_written and said.startswith("COMMIT")
            is_open = False
        elif said.startswith(_WRITES) and not said.startswith(_UNLOGGED):
            has_written = True
            found += not is_open
    return found


def _measured(rounds: int, runs: int) -> dict[str, Any]:
    from unittest.mock import patch

    from django.conf import settings
    from django.test import override_settings

    from opspilot.connectors import readers

    asker = _prepare()
    assert not settings.OPSPILOT_PROVIDERS
    with (
        override_settings(OPSPILOT_PLANNER="model"),
        patch.object(readers, "completers", lambda: (_Instant(),)),
    ):
        first = _first(asker)
        found = _counted(asker)
        times = [_round(asker, first, runs, found["commits"]) for _ in range(rounds)]
    per_run, per_run_cpu, per_commit = (list(column) for column in zip(*times, strict=True))
    return found | {"per_run": per_run, "per_run_cpu": per_run_cpu, "per_commit": per_commit}


def _counted(asker: Any) -> dict[str, int]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    number = _asked(asker)
    with CaptureQueriesContext(connection) as captured:
        _advanced(asker.tenant_id, number)
    said = [query["sql"] for query in captured.captured_queries]
    return {"commits": commits(said), "statements": len(said)}


def _round(asker: Any, first: int, runs: int, commits_each: int) -> tuple[float, float, float]:
    """Seconds a run, seconds of the processor a run, seconds a bare commit."""
    numbers = [_asked(asker) for _ in range(runs)]
    began, cpu = time.perf_counter(), time.process_time()
    for number in numbers:
        _advanced(asker.tenant_id, number)
    spent, worked = time.perf_counter() - began, time.process_time() - cpu
    bare = runs * commits_each
    began = time.perf_counter()
    for _ in range(bare):
        _commit(asker.tenant_id, first)
    return spent / runs, worked / runs, (time.perf_counter() - began) / bare


def _commit(tenant_id: UUID, row: int) -> None:
    """The smallest thing that waits for the disk as a run's commits do: one small row of a company."""
    from opspilot.harness.models import Run
    from opspilot.tenancy.scope import tenant_scope

    with tenant_scope(tenant_id):
        Run.objects.filter(pk=row).update(code="")


def _first(asker: Any) -> int:
    """A run before those that are measured: what is read once a process is read then."""
    from opspilot.harness.models import Run
    from opspilot.smoke.expectation import expect
    from opspilot.tenancy.scope import tenant_scope

    number = _asked(asker)
    _advanced(asker.tenant_id, number)
    with tenant_scope(asker.tenant_id):
        state = Run.objects.get(pk=number).state
    expect(state == "handover", f"the run ended as {state}: no model was asked")
    return number


def _asked(asker: Any) -> int:
    from opspilot.harness import services
    from opspilot.tenancy.scope import tenant_scope

    with tenant_scope(asker.tenant_id):
        return int(services.ask(principal=asker, question=REQUEST).pk)


def _advanced(tenant_id: UUID, number: int) -> None:
    from opspilot.harness import loop

    loop.advance(tenant_id=tenant_id, run_id=number)


def _prepare() -> Any:
    """A company with a price for the model and room in its budget; whoever asks, as a principal."""
    import datetime as dt
    from decimal import Decimal

    from audit.costs import prices
    from opspilot.budgets import limits
    from opspilot.budgets.limits import Given
    from opspilot.budgets.models import Scope
    from opspilot.tenancy import selectors
    from opspilot.tenancy.models import User
    from opspilot.tenancy.principal import Role
    from opspilot.tenancy.scope import tenant_scope
    from opspilot.tenancy.services import create_tenant, grant_roles

    tenant = create_tenant(slug=COMPANY, name=COMPANY)
    user = User.objects.create(username="bench-admin", display_name="bench-admin")
    grant_roles(tenant=tenant, user=user, roles=[Role.ADMIN, Role.OPERADOR])
    with tenant_scope(tenant.pk):
        admin = selectors.principal(user)
        assert admin is not None
        since, cheap, much = dt.date(2026, 1, 1), Decimal(1), Decimal(10_000_000)
        prices.add(admin=admin, model=MODEL, since=since, centavos_in=cheap, centavos_out=cheap)
        limits.give(admin=admin, given=Given(Scope.COMPANY, "", much, "medida de desempenho"))
    return admin


class _Instant:
    """A provider that answers at once."""

    name, model, route, most_tokens = "instantaneo", MODEL, "standard", 1_000

    def complete(self, asked: Any) -> Any:
        from opspilot.connectors.ports import Completed

        return Completed(json.dumps(PLAN), MODEL, MODEL, tokens_in=1_000, tokens_out=50)


if __name__ == "__main__":
    main(sys.argv[1:])
