"""Months that go in tests: companies with sealed rows of long ago, and runs that die."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from audit.months import catalogue, expiring, judging
from audit.months.calendar import label
from audit.months.judging import Verdict
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from tests import factories
from tests.conftest import Connection
from tests.db import months

JUNE, JULY, AUGUST = (dt.date(1994, month, 1) for month in (6, 7, 8))
GONE = [expiring.Outcome("1994-07", gone=True)]


class KilledError(BaseException):
    """The process ends here: nothing after it runs."""


def a_place(settings: Settings, tmp_path: Path, admin: Connection) -> Iterator[Path]:
    """A key and a folder for archives; afterwards the months of these tests are as if never made."""
    settings.OPSPILOT_SEAL_KEY = months.a_key()
    settings.OPSPILOT_ARCHIVE_DIR = str(tmp_path)
    yield tmp_path
    for month in (JUNE, JULY, AUGUST):
        months.forget(admin, month)
    # The ledger is for ever; a month of these tests has to be free for the next one.
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = 'replica'")
        admin.execute("DELETE FROM trail_expiry WHERE month < '2000-01-01'")


def a_company(admin: Connection, *filled: dt.date, rule: int | None = 1) -> Tenant:
    """With sealed rows in these months, and a retention that is over for all of them."""
    tenant = factories.a_tenant()
    if rule:
        months.a_rule(tenant, rule)
    for month in filled:
        months.make(month)
        months.fill(admin, tenant, month)
    months.seal(tenant)
    return tenant


def verdicts() -> dict[str, Verdict]:
    found = judging.judge(now=clock.now())
    return {label(one.month): one.verdict for one in found if one.month < dt.date(2000, 1, 1)}


def killed(monkeypatch: pytest.MonkeyPatch, target: Any, name: str, *, after: bool = True) -> None:
    """One run that dies right after (or instead of) this step."""
    real = getattr(target, name)

    def dying(*args: Any, **values: Any) -> None:
        if after:
            real(*args, **values)
        raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr(target, name, dying)
        with pytest.raises(KilledError):
            expiring.expire()


def refused(admin: Connection, words: str) -> None:
    """No month goes, for this reason, and nothing was written or removed."""
    (found,) = expiring.expire()
    assert (found.gone, words in found.why) == (False, True), found
    assert "nothing was removed" in found.why or "OPSPILOT_ARCHIVE_DIR" in found.why
    assert JULY in catalogue.months_of()
