"""With the clock moved a week the worker runs a saved report, tells its owner, and the hash says same
or changed. The rows are left as they are: only the time is another."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest

from audit.models import SavedReport
from audit.reports import saved_page
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Principal, Role
from tests import factories
from tests.conftest import Connection
from tests.db import moved_clock, noticing, querying, saving

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def owner(tenant: Tenant) -> Principal:
    return noticing.principal(tenant, noticing.a_reachable(tenant, Role.AUDITOR))


def weekly(owner: Principal, tenant: Tenant) -> SavedReport:
    """Every Monday at eight, about all that cannot be undone; one thing was done that cannot."""
    querying.a_row(tenant, acao="tarefa.executada")
    day, month = clock.now().date() - dt.timedelta(days=1), dt.timedelta(days=30)
    period = {"periodo": "intervalo", "de": f"{day}", "ate": f"{day + month}"}
    return saving.a_report(owner, address=period)


def in_days(admin: Connection, tenant: Tenant, days: int) -> None:
    with moved_clock.ahead(admin, days=days):
        saving.work(tenant)


def said(tenant: Tenant) -> list[str]:
    return [saved_page.answer_words(run)[1] for run in saving.runs(tenant)]


def test_the_clock_that_decides_is_the_one_that_moves(
    tenant: Tenant, owner: Principal, admin: Connection
) -> None:
    before = clock.now()
    with moved_clock.ahead(admin, days=7):
        assert dt.timedelta(days=7) <= clock.now() - before < dt.timedelta(days=7, minutes=1)
    assert clock.now() - before < dt.timedelta(minutes=1)


def test_a_week_later_the_report_ran_once_and_its_owner_was_told(
    tenant: Tenant, owner: Principal, admin: Connection, mailoutbox: Any
) -> None:
    report = weekly(owner, tenant)
    saving.work(tenant)
    assert said(tenant) == []
    with moved_clock.ahead(admin, days=7):
        saving.work(tenant)
        saving.work(tenant)
        noticing.deliver(tenant)
    (run,) = saving.runs(tenant)
    assert (run.report_id, run.rows) == (report.pk, 1)
    (letter,) = mailoutbox
    assert letter.to == [User.objects.get(pk=owner.user_id).email]
    assert f"/trilha/consultas/salvas/{report.ref}/" in letter.body


def test_two_weeks_later_with_nothing_new_the_hash_says_the_same(
    tenant: Tenant, owner: Principal, admin: Connection
) -> None:
    weekly(owner, tenant)
    in_days(admin, tenant, 7)
    in_days(admin, tenant, 14)
    first, second = saving.runs(tenant)
    assert first.sha256 == second.sha256
    assert re.fullmatch(r"igual a \d\d/\d\d", said(tenant)[1])


def test_two_weeks_later_with_something_new_the_hash_says_changed_and_what_entered(
    tenant: Tenant, owner: Principal, admin: Connection
) -> None:
    weekly(owner, tenant)
    in_days(admin, tenant, 7)
    querying.a_row(tenant, acao="tarefa.executada")
    in_days(admin, tenant, 14)
    first, second = saving.runs(tenant)
    assert first.sha256 != second.sha256
    assert re.fullmatch(r"mudou desde \d\d/\d\d: 1 entrou, 0 saíram", said(tenant)[1])
