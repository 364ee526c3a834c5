"""The months of the trail by the catalogue: made, mended, adopted, and what happens without one."""

from __future__ import annotations

import datetime as dt
import os
import threading
import uuid
from collections.abc import Iterator

import psycopg
import pytest
from django.test import Client

from audit import trail
from audit.months import catalogue, creating, inspecting
from audit.months.calendar import MENDED, label, moved, start_of
from audit.months.creating import lacking
from audit.months.errors import TrailClosedError
from audit.vocabulary import Authorization, Result
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import deciding, entering, months
from tests.db.executing import advance
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def old(admin: Connection) -> Iterator[dt.date]:
    """A month that nobody else has, and that is gone afterwards."""
    month = dt.date(1994, 7, 1)
    yield month
    months.forget(admin, month)


def record(tenant: Tenant) -> int:
    with tenant_scope(tenant.pk):
        return trail.record(
            trail.Entry(
                correlacao_id=uuid.uuid4(),
                acao="historico.lido",
                resultado=Result.OK,
                autorizacao=Authorization.REGRA,
            )
        )


def oid_of(admin: Connection, month: dt.date) -> int:
    row = admin.execute("SELECT oid FROM trail_month WHERE from_at = %s", [start_of(month)])
    return int(row.fetchone()[0])  # type: ignore[index]


@pytest.mark.parametrize("zone", ["America/Sao_Paulo", "Asia/Kolkata", "Pacific/Auckland"])
def test_case_audit_01_a_month_is_of_utc_whatever_zone_its_maker_is_in(
    maintenance: Connection, old: dt.date, zone: str
) -> None:
    maintenance.execute("SELECT set_config('TimeZone', %s, false)", [zone])
    try:
        maintenance.execute("SELECT create_trail_month(%s)", [old])
        found = maintenance.execute(
            "SELECT from_at, until_at FROM trail_month WHERE from_at < '2000-01-01'"
        ).fetchall()
    finally:
        maintenance.execute("RESET timezone")
    assert found == [(start_of(old), start_of(moved(old, 1)))]


def test_case_audit_02_without_a_month_nothing_is_written_and_one_run_repairs_it(
    admin: Connection, client: Client
) -> None:
    tenant, now = factories.a_tenant(), months.this_month()
    assert client.get("/readyz").status_code == 200
    with months.detached(admin, now):
        with pytest.raises(TrailClosedError):
            record(tenant)
        assert catalogue.ahead(catalogue.months_of(), now) == -1
        assert client.get("/readyz").status_code == 503
        assert creating.create() == [label(now)]
        assert creating.create() == []
    assert record(tenant) > 0
    assert client.get("/readyz").status_code == 200


def test_case_audit_02_a_refusal_that_cannot_be_recorded_says_what_is_wrong(
    admin: Connection,
) -> None:
    person = factories.a_person(factories.a_tenant(), Role.OPERADOR)
    client = entering.logged_in(person)
    with months.detached(admin, months.this_month()):
        answer = client.get("/trilha/retencao/")
    assert answer.status_code == 503
    assert "A trilha não tem onde escrever" in answer.content.decode()


def test_case_audit_02_a_decision_that_cannot_be_recorded_is_none(admin: Connection) -> None:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    proposal, by = factories.a_proposal(tenant), deciding.approver(tenant)
    with months.detached(admin, months.this_month()), pytest.raises(TrailClosedError):
        factories.approve(proposal, by)
    assert deciding.nothing_happened(proposal)


def test_case_audit_02_an_effect_that_cannot_be_recorded_is_not_sent(admin: Connection) -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    with months.detached(admin, months.this_month()), pytest.raises(TrailClosedError):
        advance(approved, tracker)
    assert tracker.count("create") == 0


def test_case_audit_02_health_is_red_before_it_comes_to_that() -> None:
    there = [months.this_month(), moved(months.this_month(), 1)]
    assert catalogue.ahead(there, months.this_month()) < inspecting.LEAST_AHEAD


def test_case_audit_02_two_months_without_maintenance_are_made_up_for() -> None:
    today = dt.date(2030, 5, 20)
    there = [dt.date(2030, 1, 1), dt.date(2030, 2, 1), dt.date(2030, 3, 1)]
    assert [label(month) for month in lacking(there, today)] == [
        "2030-04", "2030-05", "2030-06", "2030-07", "2030-08",
    ]  # fmt: skip


def test_a_gap_between_months_near_this_one_is_made_and_far_ones_are_let_be() -> None:
    today = dt.date(2030, 5, 20)
    there = [moved(dt.date(2030, 5, 1), by) for by in (-MENDED - 9, -2, 0, 1, 2, 3, 5)]
    assert lacking(there, today) == [dt.date(2030, 4, 1), dt.date(2030, 9, 1)]


def test_case_audit_03_writers_go_on_while_a_month_is_made_and_a_report_reads(
    admin: Connection, old: dt.date
) -> None:
    tenant = factories.a_tenant()
    report = psycopg.connect(admin.info.dsn, password=admin.info.password)
    report.execute("SELECT count(*) FROM agente_acao")
    at_the_latest = threading.Timer(20, report.close)
    at_the_latest.start()
    months.make(old)
    record(tenant)
    assert not report.closed  # else they waited for it
    at_the_latest.cancel()
    report.close()


def test_a_month_detached_by_hand_comes_back_with_its_rows(admin: Connection, old: dt.date) -> None:
    tenant = factories.a_tenant()
    months.make(old)
    months.fill(admin, tenant, old)
    before = oid_of(admin, old)
    with months.detached(admin, old):
        assert old not in catalogue.months_of()
    assert oid_of(admin, old) == before


def test_a_detach_that_was_interrupted_is_finished_and_the_month_attached_again(
    admin: Connection, old: dt.date
) -> None:
    months.make(old)
    name = f"agente_acao_{old:%Y_%m}"
    with psycopg.connect(admin.info.dsn, password=admin.info.password) as report:
        report.execute("SELECT count(*) FROM agente_acao")
        admin.execute("SET statement_timeout = '150ms'")
        with pytest.raises(psycopg.errors.QueryCanceled):
            admin.execute(f"ALTER TABLE agente_acao DETACH PARTITION {name} CONCURRENTLY")
        admin.execute("RESET statement_timeout")
    assert [one.pending for one in catalogue.attached() if one.name == name] == [True]
    made = creating.make()
    assert made.mended == [f"{name}: detach finished"]
    assert made.months == [label(old)]
    assert creating.make() == creating.Made([], [])


def test_a_month_that_lost_its_law_is_given_it_back(admin: Connection, old: dt.date) -> None:
    months.make(old)
    name = f"agente_acao_{old:%Y_%m}"
    for act in (
        "ALTER TABLE {} DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE {} DISABLE TRIGGER append_only",
        "DROP TRIGGER append_only_truncate ON {}",
        "GRANT SELECT ON {} TO opspilot_app",
    ):
        admin.execute(act.format(name))
    today = dt.datetime.now(dt.UTC).date()
    found = inspecting.inspect(today=today).faults
    assert [fault for fault in found if fault.startswith(name)] == [
        f"{name}: no forced row security",
        f"{name}: a trigger is missing or off",
        f"{name}: a grant of its own",
    ]
    assert len(creating.make().mended) == 4
    assert creating.make().mended == []
    after = inspecting.inspect(today=today).faults
    assert [fault for fault in after if fault.startswith(name)] == []


def test_something_else_with_a_month_s_name_does_not_keep_it_from_being_made(
    admin: Connection, old: dt.date
) -> None:
    admin.execute(f"CREATE TABLE agente_acao_{old:%Y_%m} (note text)")
    months.make(old)
    assert old in catalogue.months_of()


def test_an_empty_table_left_with_other_columns_is_built_anew(
    owner: Connection, old: dt.date
) -> None:
    name = f"agente_acao_{old:%Y_%m}"
    owner.execute(
        f"CREATE TABLE {name} (ocorrido_em timestamptz, CONSTRAINT month CHECK ("
        f"ocorrido_em >= '{old} 00:00+00' AND ocorrido_em < '{moved(old, 1)} 00:00+00'))"
    )
    assert creating.create() == [label(old)]


def test_case_audit_07_a_month_is_as_immutable_as_the_trail(
    admin: Connection, owner: Connection, old: dt.date
) -> None:
    months.make(old)
    months.fill(admin, factories.a_tenant(), old)
    name = f"agente_acao_{old:%Y_%m}"
    for person, act in (
        (owner, "TRUNCATE {}"),
        (admin, "UPDATE {} SET acao = 'x'"),
        (admin, "DELETE FROM {}"),
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
            person.execute(act.format(name))


@pytest.mark.parametrize("function", ["detach_trail_month", "drop_trail_month"])
def test_only_the_maintenance_role_takes_a_month_out(function: str, old: dt.date) -> None:
    with (
        psycopg.connect(os.environ["DATABASE_URL"]) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(f"SELECT {function}(%s)", [old])
