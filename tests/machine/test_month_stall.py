"""How long a writer waits while months come and go under a report: five rounds, and their median.

Run by `poe stall`. A plain DROP makes writers wait as long as the report's transaction is open.
"""

from __future__ import annotations

import datetime as dt
import os
import statistics
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psycopg
import pytest
from pytest_django import Settings

from audit.months import expiring
from audit.months.calendar import moved
from opspilot.tenancy.models import Tenant
from tests import factories
from tests.conftest import Connection
from tests.db import months

pytestmark = [pytest.mark.machine, pytest.mark.usefixtures("committed")]
REPORT = 3.0  # seconds its transaction is open
MARGIN = 50.0  # milliseconds over the quiet maximum
INSERT = (
    "INSERT INTO agente_acao (tenant_id, correlacao_id, agente, agente_versao, modelo, "
    "instrucao_hash, acao, resultado, autorizacao) "
    "VALUES (%s, gen_random_uuid(), 'a', 'a', 'nenhum', 'x', 'historico.lido', 'ok', 'regra')"
)


class Writer(threading.Thread):
    """Writes rows one after the other, each in a transaction of its own, and notes the longest."""

    def __init__(self, tenant: Tenant) -> None:
        super().__init__()
        self.tenant, self.longest, self.ended = tenant, 0.0, False

    def run(self) -> None:
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
            connection.execute(
                "SELECT set_config('opspilot.tenant_id', %s, false)", [str(self.tenant.pk)]
            )
            while not self.ended:
                began = time.monotonic()
                connection.execute(INSERT, [self.tenant.pk])
                self.longest = max(self.longest, (time.monotonic() - began) * 1000)


def longest_wait(tenant: Tenant, meanwhile: Callable[[], None]) -> float:
    writer = Writer(tenant)
    writer.start()
    try:
        meanwhile()
    finally:
        writer.ended = True
        writer.join()
    return writer.longest


def test_writers_wait_no_longer_than_when_it_is_quiet(
    admin: Connection, settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.OPSPILOT_SEAL_KEY = months.a_key()
    settings.OPSPILOT_ARCHIVE_DIR = str(tmp_path)
    tenant, old = factories.a_tenant(), dt.date(1991, 1, 1)
    months.a_rule(tenant)
    excess: list[float] = []
    took: list[float] = []
    for number in range(5):
        month = moved(old, 2 * number)
        months.make(month)
        admin.execute("ANALYZE agente_acao")
        months.fill(admin, tenant, month, rows=48)
        months.seal(tenant)
        quiet = longest_wait(tenant, lambda: time.sleep(REPORT))
        stalled = longest_wait(tenant, partial(_come_and_go, admin, month, took))
        excess.append(stalled - quiet)
        assert months.tables(admin, month) == []
        months.forget(admin, moved(month, 1))
    with capsys.disabled():
        print(
            f"\ninsert_stall_ms over quiet: {[round(one, 1) for one in excess]}, "
            f"median {statistics.median(excess):.1f}; drop_month_ms {[round(one) for one in took]}"
        )
    assert statistics.median(excess) <= MARGIN


def _come_and_go(admin: Connection, month: dt.date, took: list[float]) -> None:
    """A month is made and one goes while a report reads; `took`: the milliseconds of the second."""
    report = psycopg.connect(admin.info.dsn, password=admin.info.password)
    report.execute("SELECT count(*) FROM agente_acao")
    closing = threading.Timer(REPORT, report.close)
    closing.start()
    months.make(moved(month, 1))
    began = time.monotonic()
    (found,) = [one for one in expiring.expire() if one.month == f"{month:%Y-%m}"]
    took.append((time.monotonic() - began) * 1000)
    closing.join()
    assert found.gone, found.why
