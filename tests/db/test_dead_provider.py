"""A provider that is dead costs time and nothing else: real processes, each with its own connection."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections import Counter
from pathlib import Path

import pytest
from pytest_django import Settings

from audit.models import AgenteAcao
from opspilot.budgets.models import Reservation, ReservationState
from opspilot.connectors import readers
from opspilot.dead_letter import lanes
from opspilot.harness import services
from opspilot.harness.models import Run, RunState
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import outing, serving
from tests.db.races import at_once
from tests.db.serving import Server

pytestmark = pytest.mark.usefixtures("committed")
ROOT = Path(__file__).parents[2]
REQUEST = "Preciso que alguém veja o que fazer com o servidor antigo depois da mudança."


def asked(by: Principal, count: int) -> None:
    with tenant_scope(by.tenant_id):
        for _ in range(count):
            services.ask(principal=by, question=REQUEST)


def work(server: Server, tenant: uuid.UUID, processes: int) -> None:
    """All of them begin at the same moment, and end when nothing is due."""
    provider = f"morto-{uuid.uuid4().hex[:8]}"
    line = [sys.executable, "-m", "tests.db.outing", str(tenant), server.url, provider]
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    started = [
        subprocess.Popen(
            line, cwd=ROOT, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(processes)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        process.communicate("go\n", timeout=300)
    assert [process.returncode for process in started] == [0] * processes


@pytest.fixture
def admin() -> Principal:
    made = factories.a_principal(factories.a_tenant(), Role.ADMIN, Role.OPERADOR)
    serving.pay(made, ["fails"])
    return made


@pytest.mark.machine
def test_an_outage_parks_every_run_and_asks_the_dead_provider_a_few_times(
    tmp_path: Path, admin: Principal
) -> None:
    asked(admin, 300)
    with serving.running(tmp_path) as server:
        work(server, admin.tenant_id, 8)
        calls = len(server.asked())
    print(f"300 runs, 8 processes: {calls} calls, {dict(parked(admin, 300, calls))}")
    assert 1 <= calls <= outing.FAILURES + 8


def test_two_lanes_and_a_few_runs_fare_alike(
    tmp_path: Path, admin: Principal, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.OPSPILOT_PLANNER, settings.OPSPILOT_BREAKER_FAILURES = "model", outing.FAILURES
    settings.OPSPILOT_BREAKER_SECONDS = outing.WAIT
    asked(admin, 12)
    with serving.running(tmp_path) as server:
        dead = serving.completer(server.url, "fails")
        monkeypatch.setattr(readers, "completers", lambda: (dead,))
        ends = at_once([lambda: outing.take_all(admin.tenant_id)] * 2)
        calls = len(server.asked())
    assert ends == [None, None]
    parked(admin, 12, calls)
    assert 1 <= calls <= outing.FAILURES + 2


def parked(admin: Principal, runs: int, calls: int) -> Counter[str]:
    """How many runs ended how: every one waits, says why and until when, and is listed as stopped; and
    what was not asked was not paid."""
    with tenant_scope(admin.tenant_id):
        states = Counter(Run.objects.values_list("state", flat=True))
        waiting = Run.objects.filter(state=RunState.REVIEW)
        told = AgenteAcao.objects.filter(correlacao_id__in=waiting.values("ref")).count()
        held = Reservation.objects.filter(state=ReservationState.HELD).count()
        paid = Reservation.objects.filter(spent__gt=0).count()  # a 503 may have been charged
        assert states[RunState.REVIEW] + states[RunState.QUEUED] == runs
        assert not waiting.filter(try_after=None).exists()
        assert not waiting.filter(code="").exists()
        assert lanes.counts()["rodada"] == states[RunState.REVIEW]
    assert told >= states[RunState.REVIEW]
    assert (held, paid) == (0, calls)
    return states
