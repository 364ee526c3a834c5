"""What the runtime role writes by hand in place of the worker: refused, or red, and nothing stops."""

from __future__ import annotations

import datetime as dt
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, connection
from pytest_django import Settings

from audit.models import (
    SealFault,
    TrailKey,
    TrailRetention,
    TrailRetentionActivation,
    TrailSeal,
    TrailVerification,
    TrailWatch,
)
from audit.months import catalogue, creating, expiring, judging
from audit.months.calendar import moved
from audit.months.judging import Verdict
from audit.seal import closing, keys, lane, merkle, page, sealing, verify
from audit.seal.windows import Reason
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import months, sealed
from tests.db.letting_go import JULY, a_company, a_place, verdicts

pytestmark = pytest.mark.usefixtures("committed")
HASH = "ab" * 32


@pytest.fixture
def tenant(settings: Any, monkeypatch: pytest.MonkeyPatch, admin: Connection) -> Iterator[Tenant]:
    """Three sealed hours of a day that the clock of the test has just left behind."""
    settings.OPSPILOT_SEAL_KEY = sealed.a_pem()
    monkeypatch.setattr(clock, "now", lambda: sealed.at(24, 2))
    monkeypatch.setattr(closing, "writers", set)
    tenant = factories.a_tenant()
    sealed.write(admin, tenant, 10, 11, 12)
    assert sealed.seal(tenant) == 3
    yield tenant
    months.forget(admin, sealed.month())


@pytest.fixture
def place(settings: Settings, tmp_path: Path, admin: Connection) -> Iterator[Path]:
    yield from a_place(settings, tmp_path, admin)


def forge(tenant: Tenant, **values: Any) -> TrailSeal:
    """A seal that follows the newest one, but for `values`, and that no key of ours signed."""
    with tenant_scope(tenant.pk):
        last = TrailSeal.objects.latest("number")
        facts = {
            "number": last.number + 1, "from_at": last.until_at, "until_at": sealed.at(14),
            "rows": 1, "first_row": 1, "last_row": 1, "root": HASH, "previous": last.hash,
            "sealed_at": clock.now(), "hash": HASH, "key": "x", "signature": "y",
        }  # fmt: skip
        return TrailSeal.objects.create(tenant=tenant, **facts | values)


def ahead() -> dt.datetime:
    return dt.datetime.now(dt.UTC) + dt.timedelta(days=900)


def checked(tenant: Tenant) -> TrailVerification:
    lane._verify_yesterday(tenant.pk)
    with tenant_scope(tenant.pk):
        return TrailVerification.objects.latest("pk")


def cut(admin: Connection, tenant: Tenant, number: int) -> None:
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = 'replica'")
        admin.execute(
            "DELETE FROM trail_seal WHERE tenant_id = %s AND number >= %s", [tenant.pk, number]
        )


@pytest.mark.parametrize(
    "values",
    [
        {"until_at": ahead()},
        {"until_at": ahead(), "sealed_at": ahead() + dt.timedelta(days=1)},
        {"number": 2**31 - 1},
        {"number": 6},
        {"from_at": sealed.at(13, 30)},
        {"previous": "0" * 64},
        {"hash": "ff"},
    ],
)
def test_a_seal_ahead_of_the_clock_or_out_of_its_place_is_refused(
    tenant: Tenant, values: dict[str, Any]
) -> None:
    with pytest.raises(IntegrityError):
        forge(tenant, **values)
    assert len(sealed.seals(tenant)) == 3


def test_nothing_is_chained_to_a_seal_that_no_known_key_signed_and_that_is_red(
    tenant: Tenant, admin: Connection
) -> None:
    forge(tenant)
    sealed.write(admin, tenant, 15)
    with tenant_scope(tenant.pk), pytest.raises(sealing.BadSealError):
        sealing.seal_closed(until=sealed.at(24), ring=keys.ring())
    assert lane._work(tenant.pk)[0] == SealFault.BAD_SEAL
    watch = TrailWatch(tenant_id=tenant.pk, fault=SealFault.BAD_SEAL)
    found = page.verdict(watch, sealed=True, now=clock.now())
    assert (found.state, bool(found.act)) == ("failed", True)


def test_a_day_with_rows_and_no_seal_is_no_good_day(tenant: Tenant, admin: Connection) -> None:
    cut(admin, tenant, 1)
    found = verify.verify_span(tenant.pk, since=sealed.at(0), until=sealed.at(24))
    assert [(one.reason, one.rows) for one in found.bad] == [(Reason.NOT_SEALED, 15)]


def test_a_day_without_rows_is_a_good_one(tenant: Tenant) -> None:
    found = verify.verify_span(tenant.pk, since=sealed.at(-24), until=sealed.at(0))
    assert (found.is_good, found.total) == (True, 0)


def a_check(tenant: Tenant, until: dt.datetime) -> None:
    with tenant_scope(tenant.pk):
        TrailVerification.objects.create(
            tenant=tenant, from_at=until, until_at=until, windows=24, rows=9, good=True
        )


def test_a_check_of_days_to_come_is_refused_and_one_of_another_day_stops_none(
    tenant: Tenant,
) -> None:
    with pytest.raises(IntegrityError):
        a_check(tenant, ahead())
    a_check(tenant, sealed.at(25))
    assert checked(tenant).until_at == sealed.at(24)


def test_a_key_that_was_written_down_alone_before_its_turn_is_presented_all_the_same(
    tenant: Tenant, admin: Connection, settings: Any
) -> None:
    first, new = settings.OPSPILOT_SEAL_KEY, sealed.a_pem()
    known, signer = keys.known_here(), keys.parsed(new)[0]
    with tenant_scope(tenant.pk):
        TrailKey.objects.create(
            tenant=tenant, fingerprint=signer.fingerprint, public_key=signer.public_key
        )
    settings.OPSPILOT_SEAL_KEY = new + first
    sealed.write(admin, tenant, 15, 16)
    assert sealed.seal(tenant) == 2
    assert verify.verify_tenant(tenant.pk, known=known).is_good
    with tenant_scope(tenant.pk):
        assert TrailKey.objects.filter(fingerprint=signer.fingerprint).count() == 2


def test_a_key_under_another_s_name_is_refused(tenant: Tenant) -> None:
    with pytest.raises(IntegrityError), tenant_scope(tenant.pk):
        TrailKey.objects.create(tenant=tenant, fingerprint=HASH, public_key=HASH)


@pytest.mark.parametrize(("anew", "reason"), [(True, "cabeca_mudada"), (False, "cabeca_sumiu")])
def test_seals_that_the_check_of_a_day_saw_must_be_there_for_the_next(
    tenant: Tenant,
    admin: Connection,
    monkeypatch: pytest.MonkeyPatch,
    anew: bool,
    reason: str,
) -> None:
    """The newest windows are cut off, and sealed anew by the worker or not: the next day is red."""
    first = checked(tenant)
    assert (first.good, first.head_number) == (True, 3)
    cut(admin, tenant, 3)
    monkeypatch.setattr(clock, "now", lambda: sealed.at(48, 2))
    if anew:
        assert sealed.seal(tenant) == 1
    second = checked(tenant)
    assert (second.good, second.first_bad["number"], second.first_bad["reason"]) == (
        False, 3, reason,
    )  # fmt: skip


@pytest.mark.parametrize("by", [0, 4])
def test_the_ledger_tells_of_no_month_that_is_not_over(maintenance: Connection, by: int) -> None:
    tenant, month = factories.a_tenant(), moved(months.this_month(), by)
    months.a_rule(tenant)
    with pytest.raises(IntegrityError), tenant_scope(tenant.pk):
        months.a_line(tenant, month)
    row = maintenance.execute("SELECT trail_month_expired(%s)", [month]).fetchone()
    assert row == (False,)


def test_a_hold_that_began_before_the_month_was_judged_keeps_it(
    admin: Connection, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its transaction is still open when the month is to be taken out."""
    tenant = a_company(admin, JULY)
    monkeypatch.setattr(creating, "TRIES", 1)
    with psycopg.connect(os.environ["DATABASE_URL"]) as other:
        other.execute("SELECT set_config('opspilot.tenant_id', %s, true)", [str(tenant.pk)])
        other.execute(
            "INSERT INTO legal_hold (tenant_id, ref, entity_type, entity_ref, entity_title, reason, "
            "author, author_name) VALUES (%s, %s, '', '', '', 'processo 55/2026', 'x', 'x')",
            [tenant.pk, uuid.uuid4()],
        )
        (found,) = expiring.expire()
        assert not found.gone
    assert expiring.expire() == []
    assert (verdicts(), JULY in catalogue.months_of()) == ({"1994-07": Verdict.HELD}, True)


def test_a_ledger_line_that_the_seals_do_not_bear_out_lets_no_month_go(
    admin: Connection, maintenance: Connection, place: Path
) -> None:
    tenant = a_company(admin, JULY)
    (standing,) = next(one for one in judging.judge(now=clock.now()) if one.month == JULY).standings
    numbers = {name: getattr(standing, name) for name in ("rows", "first_row", "last_row")}
    with tenant_scope(tenant.pk):
        months.a_line(tenant, JULY, **numbers)
    with pytest.raises(psycopg.DatabaseError, match="may not go"):
        maintenance.execute("SELECT detach_trail_month(%s)", [JULY])
    with (
        months.detached(admin, JULY),
        pytest.raises(psycopg.DatabaseError, match="do not tell of its rows"),
    ):
        maintenance.execute("SELECT drop_trail_month(%s)", [JULY])
    assert months.tables(admin, JULY) != []


def test_a_rule_by_people_who_were_never_admins_lets_no_month_go(
    admin: Connection, place: Path
) -> None:
    tenant = a_company(admin, JULY, rule=None)
    with tenant_scope(tenant.pk):
        rule = TrailRetention.objects.create(
            tenant=tenant, months=1, basis="x", reason="x", author="fake:1", author_name="A"
        )
        TrailRetentionActivation.objects.create(
            tenant=tenant, retention=rule, admin="fake:2", admin_name="B"
        )
    assert verdicts() == {"1994-07": Verdict.NO_RULE}


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 6, 7, 11])
def test_the_database_makes_the_same_root_as_the_seal(admin: Connection, count: int) -> None:
    tree, leaves = merkle.Tree(), [bytes([number]) * 32 for number in range(count)]
    for leaf in leaves:
        tree.add(leaf)
    row = admin.execute("SELECT merkle_root(%s::bytea[])", [leaves]).fetchone()
    assert row == (tree.root().hex(),)


def test_the_application_asks_the_database_for_no_root(tenant: Tenant) -> None:
    with pytest.raises(DatabaseError, match="permission denied"), connection.cursor() as cursor:
        cursor.execute("SELECT merkle_root('{}')")
