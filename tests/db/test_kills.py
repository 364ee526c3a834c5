"""kill -9 in the middle of sealing, of an expiry, of an export and of a saved report: nothing is lost or
done twice, and the next run comes to its end. A few steps of each here; `poe kills` takes every one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.db import connections
from django.db.models import Model
from pytest_django import Settings

from audit import verifying
from audit.files import folders
from audit.models import AgenteAcao, SavedReport, Trace, TraceState, TrailWatch
from audit.months import expiring, restoring
from audit.months.calendar import label, moved
from audit.seal import lane, sealing
from audit.seal.verify import verify_tenant
from audit.trace import building
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests import factories
from tests.conftest import Connection
from tests.db import letting_go, months, noticing, saving, sealed, tracing
from tests.db.killing import every_step, killed_at

pytestmark = pytest.mark.usefixtures("committed")


@dataclass(frozen=True, slots=True)
class Killed:
    """What a test does again and again; `admin` lets the time of a lease pass."""

    admin: Connection
    settings: Settings
    folder: Path
    patch: pytest.MonkeyPatch
    made: list[dt.date]

    def leases_end(self, model: type[Model], tenant: Tenant) -> None:
        self.admin.execute(
            f"UPDATE {model._meta.db_table} SET lease_until = clock_timestamp() - interval '1 s' "  # noqa: S608
            "WHERE tenant_id = %s AND lease_until IS NOT NULL",
            [tenant.pk],
        )


Case = Callable[[Killed, int], bool]


@pytest.fixture
def killed(
    settings: Settings, tmp_path: Path, admin: Connection, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Killed]:
    """No connection of ours stays open: a process that is forked must not share it."""
    settings.OPSPILOT_EXPORT_DIR = str(tmp_path)
    place = letting_go.a_place(settings, tmp_path, admin)
    next(place)
    made = [sealed.month()]
    yield Killed(admin, settings, tmp_path, monkeypatch, made)
    next(place, None)
    for month in made:
        months.forget(admin, month)
    connections.close_all()


def sealing_at(killed: Killed, step: int) -> bool:
    """Twenty rows in four hours, two of them in a transaction."""
    killed.patch.setattr(sealing, "MOST_ROWS", 6)
    tenant = factories.a_tenant()
    sealed.write(killed.admin, tenant, 1, 2, 5, 9)
    with tenant_scope(tenant.pk):
        watch = TrailWatch.objects.create(tenant_id=tenant.pk)

    def act() -> None:
        lane.advance(tenant_id=tenant.pk, watch_id=watch.pk)

    died = killed_at(step, act)
    assert verify_tenant(tenant.pk).is_good
    killed.leases_end(TrailWatch, tenant)
    act()
    report = verify_tenant(tenant.pk)
    assert (report.is_good, report.last, report.rows, report.tail.rows) == (True, 4, 20, 0)
    assert [seal.number for seal in sealed.seals(tenant)] == [1, 2, 3, 4]
    return died


def expiring_at(killed: Killed, step: int) -> bool:
    month = moved(letting_go.JULY, -step)  # one that went is not made again
    killed.made.append(month)
    tenant = letting_go.a_company(killed.admin, month)
    died = killed_at(step, expiring.expire)
    report = verify_tenant(tenant.pk)
    assert report.is_good, report.first_bad
    expiring.expire()
    assert months.tables(killed.admin, month) == []
    (line,) = months.lines(tenant)
    assert line.archive_sha256 == restoring.check(killed.folder / label(month)).sha256
    report = verify_tenant(tenant.pk)
    assert report.is_good, report.first_bad
    with tenant_scope(tenant.pk):
        assert AgenteAcao.objects.filter(acao="trilha.expirada").count() == 1
    return died


def exporting_at(killed: Killed, step: int) -> bool:
    customer = tracing.a_customer(factories.a_tenant(), "CPF ***.111.222-**")
    tracing.rows_about(customer, 7)
    trace = tracing.asked(customer, tracing.an_asker(Tenant(pk=customer.tenant_id)))

    def act() -> None:
        building.advance(tenant_id=trace.tenant_id, trace_id=trace.pk)

    died = killed_at(step, act)
    killed.leases_end(Trace, Tenant(pk=trace.tenant_id))
    act()
    found = tracing.now(trace)
    assert (found.state, found.rows) == (TraceState.READY, 7)
    assert verifying.verify(folders.package(found)).ok
    with tenant_scope(trace.tenant_id):
        assert AgenteAcao.objects.filter(acao="exportacao.gerada").count() == 1
    assert [path.name for path in folders.of(found).iterdir()] == [f"{found.sha256}.zip"]
    return died


def answering_at(killed: Killed, step: int) -> bool:
    tenant = factories.a_tenant()
    auditor = noticing.principal(tenant, noticing.a_reachable(tenant, Role.AUDITOR))
    report = saving.a_report(auditor)
    saving.a_week_passes(killed.admin, tenant)

    def act() -> None:
        tasks._DO["reports"](tenant.pk, report.pk)

    died = killed_at(step, act)
    killed.leases_end(SavedReport, tenant)
    saving.work(tenant)
    (run,) = saving.runs(tenant)
    assert (run.code, saving.due(tenant)) == ("", [])
    with tenant_scope(tenant.pk):
        assert AgenteAcao.objects.filter(acao="historico.lido").count() == 1
    return died


CASES = [sealing_at, expiring_at, exporting_at, answering_at]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("step", [9, 31])
def test_a_kill_loses_nothing_and_the_next_run_ends(killed: Killed, case: Case, step: int) -> None:
    assert case(killed, step), f"{case.__name__} has fewer than {step} steps"


@pytest.mark.machine
@pytest.mark.parametrize("case", CASES)
def test_a_kill_at_every_step_loses_nothing(
    killed: Killed, case: Case, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = next(step for step in every_step() if not case(killed, step)) - 1
    with capsys.disabled():
        print(f"\n{case.__name__}: killed at each of {steps} steps")
    assert steps > 20
