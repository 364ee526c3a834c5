"""Months that go: only when every company's time is over, sealed, archived and told of; and whole."""

from __future__ import annotations

import datetime as dt
import io
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connections
from pytest_django import Settings

from audit.models import AgenteAcao
from audit.months import archive, catalogue, creating, expiring, holds, judging, restoring
from audit.months.calendar import moved, start_of
from audit.months.judging import Verdict
from audit.registry import acts
from audit.seal.verify import verify_tenant
from audit.seal.windows import State
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import merged_entities, months
from tests.db.letting_go import (
    AUGUST,
    GONE,
    JULY,
    JUNE,
    KilledError,
    a_company,
    a_place,
    killed,
    refused,
    verdicts,
)

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture(autouse=True)
def place(settings: Settings, tmp_path: Path, admin: Connection) -> Iterator[Path]:
    yield from a_place(settings, tmp_path, admin)


def test_a_month_goes_with_a_line_for_each_company_and_an_archive(
    admin: Connection, place: Path
) -> None:
    first, second = (a_company(admin, JULY) for _ in range(2))
    assert expiring.expire() == GONE
    assert months.tables(admin, JULY) == []
    for tenant in (first, second):
        (line,) = months.lines(tenant)
        assert (line.month, line.rows, line.archive) == (JULY, 3, "1994-07")
        assert line.basis == "Política de guarda 7/2026"
        assert line.archive_sha256 == restoring.check(place / "1994-07").sha256
        with tenant_scope(tenant.pk):
            row = AgenteAcao.objects.get(id=line.trail_row)
        assert (row.acao, row.fontes[0]["sha256"]) == ("trilha.expirada", line.archive_sha256)
    assert restoring.check(place / "1994-07").rows == 6
    assert creating.create() == []


def test_a_month_that_went_by_law_raises_no_alarm(admin: Connection) -> None:
    tenant = a_company(admin, JUNE, JULY)
    expiring.expire()
    report = verify_tenant(tenant.pk)
    assert report.is_good, report.first_bad
    assert report.tally.counts[State.EXPIRED] == 6


def test_nothing_is_left_to_do_after_it(admin: Connection) -> None:
    a_company(admin, JULY)
    expiring.expire()
    assert expiring.expire() == []


def test_two_processes_do_not_let_months_go_at_once(
    admin: Connection, maintenance: Connection
) -> None:
    a_company(admin, JULY)
    maintenance.execute(f"SELECT pg_advisory_lock({expiring._LOCK})")
    try:
        assert expiring.expire() == []
    finally:
        maintenance.execute(f"SELECT pg_advisory_unlock({expiring._LOCK})")
    assert expiring.expire() == GONE


def test_case_audit_04_no_row_younger_than_the_retention_goes(admin: Connection) -> None:
    """With six months, the month that ended less than six months ago stays whole."""
    young, old = months.ago(6), months.ago(7)
    tenant = factories.a_tenant()
    months.a_rule(tenant, 6)
    ours = {young, old} - set(catalogue.months_of())
    try:
        for month in (young, old):
            months.make(month)
            months.fill(admin, tenant, month)
        found = {one.month: one for one in judging.judge(now=clock.now())}
        assert found[young].verdict is Verdict.KEPT
        assert found[old].verdict is Verdict.GOES
        assert found[old].until == start_of(moved(old, 7))
    finally:
        for month in ours:
            months.forget(admin, month)


def test_case_audit_04_the_database_keeps_it_too(
    admin: Connection, maintenance: Connection
) -> None:
    month = months.this_month()
    with pytest.raises(psycopg.DatabaseError, match="may not go"):
        maintenance.execute("SELECT detach_trail_month(%s)", [month])
    assert month in catalogue.months_of()


def test_a_company_that_wrote_no_rule_keeps_the_month_for_all(admin: Connection) -> None:
    a_company(admin, JULY)
    a_company(admin, JULY, rule=None)
    assert verdicts() == {"1994-07": Verdict.NO_RULE}
    assert expiring.expire() == []


def test_the_longest_rule_decides(admin: Connection) -> None:
    a_company(admin, JULY)
    a_company(admin, JULY, rule=600)
    found = [one for one in judging.judge(now=clock.now()) if one.month == JULY]
    assert [(one.verdict, one.until) for one in found] == [
        (Verdict.KEPT, start_of(dt.date(2044, 8, 1)))
    ]


def test_a_month_without_rows_stays(admin: Connection) -> None:
    months.make(JULY)
    assert verdicts() == {"1994-07": Verdict.EMPTY}


def test_case_audit_05_a_month_detached_by_hand_does_not_hide_older_ones(
    admin: Connection,
) -> None:
    tenant = a_company(admin, JUNE, JULY, AUGUST)
    with months.detached(admin, JULY):
        found = expiring.expire()
        assert [one.month for one in found if one.gone] == ["1994-06", "1994-08"]
    assert expiring.expire() == GONE
    assert [line.month for line in months.lines(tenant)] == [JUNE, JULY, AUGUST]
    assert verify_tenant(tenant.pk).is_good


@pytest.mark.parametrize("step", ["archive", "ledger", "detach"])
def test_case_audit_05_a_run_that_was_killed_is_finished_by_the_next(
    admin: Connection, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    tenant = a_company(admin, JULY)
    if step == "archive":
        killed(monkeypatch, archive, "ensure")
    elif step == "ledger":
        killed(monkeypatch, expiring, "_tell")
    else:
        killed_after_the_detach(monkeypatch)
    assert len(months.lines(tenant)) == (0 if step == "archive" else 1)
    assert creating.create() == []
    assert expiring.expire() == GONE
    assert months.tables(admin, JULY) == []
    assert len(months.lines(tenant)) == 1
    assert verify_tenant(tenant.pk).is_good


def killed_after_the_detach(monkeypatch: pytest.MonkeyPatch) -> None:
    real = creating.call

    def dying(sql: str, *values: dt.date, using: str) -> Any:
        if "drop" in sql:
            raise KilledError
        return real(sql, *values, using=using)

    with monkeypatch.context() as patch:
        patch.setattr("audit.months.expiring.call", dying)
        with pytest.raises(KilledError):
            expiring.expire()
    assert verdicts() == {"1994-07": Verdict.PENDING}


def test_case_audit_06_a_hold_on_one_customer_keeps_the_months_with_their_rows(
    admin: Connection,
) -> None:
    tenant, run = a_company(admin, JUNE), uuid.uuid4()
    people = factories.a_principal(tenant, Role.CONFORMIDADE)
    with tenant_scope(tenant.pk):
        entity = merged_entities.a_customer(tenant)
        hold = holds.place(person=people, entity=entity, reason="Pedido do jurídico 3/2026")
    for month in (JULY, AUGUST):
        months.make(month)
    months.fill(admin, tenant, JULY, entity=("cliente", str(entity.ref)), run=run)
    months.fill(admin, tenant, AUGUST, run=run)  # the same run, where the customer is not named
    months.seal(tenant)
    assert verdicts() == {
        "1994-06": Verdict.GOES, "1994-07": Verdict.HELD, "1994-08": Verdict.HELD,
    }  # fmt: skip
    assert [one.month for one in expiring.expire()] == ["1994-06"]
    assert verify_tenant(tenant.pk).is_good
    with tenant_scope(tenant.pk):
        holds.lift(hold=hold, person=people, reason="Pedido encerrado em 4/2026")
    assert [one.gone for one in expiring.expire()] == [True, True]


def test_case_audit_06_a_hold_covers_what_was_joined_with_the_customer(admin: Connection) -> None:
    tenant = a_company(admin)
    people = factories.a_principal(tenant, Role.CONFORMIDADE)
    with tenant_scope(tenant.pk):
        former, now = (merged_entities.a_customer(tenant) for _ in range(2))
        acts.merge(principal=people, entity=former, into=now, reason=merged_entities.REASON)
        holds.place(person=people, entity=now, reason="Pedido do jurídico 3/2026")
    months.make(JULY)
    months.fill(admin, tenant, JULY, entity=("cliente", str(former.ref)))
    assert verdicts() == {"1994-07": Verdict.HELD}


def test_case_audit_06_a_hold_that_comes_after_the_detach_keeps_the_table(
    admin: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = a_company(admin, JULY)
    killed_after_the_detach(monkeypatch)
    people = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        hold = holds.place(person=people, entity=None, reason="Pedido do jurídico 3/2026")
    (found,) = expiring.expire()
    assert (found.gone, "a legal hold covers" in found.why) == (False, True)
    assert len(months.tables(admin, JULY)) == 1
    with tenant_scope(tenant.pk):
        holds.lift(hold=hold, person=people, reason="Pedido encerrado em 4/2026")
    assert expiring.expire() == GONE


def test_case_audit_06_the_database_detaches_nothing_that_is_held(
    admin: Connection, maintenance: Connection
) -> None:
    tenant = a_company(admin, JULY)
    expiring._tell(next(one for one in judging.judge(now=clock.now()) if one.month == JULY), "x")
    people = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        holds.place(person=people, entity=None, reason="Pedido do jurídico 3/2026")
    with pytest.raises(psycopg.DatabaseError, match="may not go"):
        maintenance.execute("SELECT detach_trail_month(%s)", [JULY])


def test_the_database_detaches_no_month_that_the_ledger_does_not_tell_of(
    admin: Connection, maintenance: Connection
) -> None:
    a_company(admin, JULY)
    with pytest.raises(psycopg.DatabaseError, match="may not go"):
        maintenance.execute("SELECT detach_trail_month(%s)", [JULY])
    with (
        months.detached(admin, JULY),
        pytest.raises(psycopg.DatabaseError, match="does not tell"),
    ):
        maintenance.execute("SELECT drop_trail_month(%s)", [JULY])


def test_a_row_that_came_after_the_line_keeps_the_month(admin: Connection) -> None:
    tenant = a_company(admin, JULY)
    expiring._tell(next(one for one in judging.judge(now=clock.now()) if one.month == JULY), "x")
    months.fill(admin, tenant, JULY, rows=1)
    (found,) = expiring.expire()
    assert not found.gone
    assert JULY in catalogue.months_of()


def test_a_month_with_a_row_that_no_seal_covers_stays(admin: Connection) -> None:
    tenant = a_company(admin, JUNE, JULY)
    months.fill(admin, tenant, JULY, rows=5)
    found = {one.month: one for one in expiring.expire()}
    assert not found["1994-07"].gone


def test_a_month_that_was_tampered_with_stays(admin: Connection) -> None:
    a_company(admin, JULY)
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = 'replica'")
        admin.execute("UPDATE agente_acao SET acao = 'x' WHERE ocorrido_em < '1995-01-01'")
    refused(admin, "1994-07")


def test_without_a_key_no_month_goes(admin: Connection, settings: Settings) -> None:
    a_company(admin, JULY)
    settings.OPSPILOT_SEAL_KEY = ""
    refused(admin, "OPSPILOT_SEAL_KEY_FILE")


def test_writers_do_not_wait_for_a_report_while_a_month_goes(admin: Connection) -> None:
    """A plain DROP makes them wait as long as the report's transaction is open. How many
    milliseconds they wait is measured by `tests/machine/test_month_stall.py`."""
    tenant = a_company(admin, JULY)
    report = psycopg.connect(admin.info.dsn, password=admin.info.password)
    report.execute("SELECT count(*) FROM agente_acao")
    at_the_latest = threading.Timer(20, report.close)
    at_the_latest.start()

    def expire() -> None:
        try:
            expiring.expire()
        finally:
            connections.close_all()  # of this thread

    worker = threading.Thread(target=expire)
    worker.start()
    until = time.monotonic() + 0.6
    while time.monotonic() < until:
        months.fill(admin, tenant, months.this_month(), rows=1)
    assert not report.closed
    at_the_latest.cancel()
    report.close()
    worker.join(timeout=30)
    assert months.tables(admin, JULY) == []


def test_the_line_says_whether_the_worker_or_a_person_let_the_month_go(admin: Connection) -> None:
    tenant = a_company(admin, JUNE)
    expiring.expire()
    months.make(JULY)
    months.fill(admin, tenant, JULY)
    months.seal(tenant)
    call_command("partitions", "expire", stdout=io.StringIO())
    assert [line.author for line in months.lines(tenant)] == [
        "manutenção da trilha", "linha de comando",
    ]  # fmt: skip
