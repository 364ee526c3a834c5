"""`manage.py partitions`: what each act prints, answers as JSON and ends with."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from contextlib import nullcontext
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from audit.months import catalogue
from audit.months.calendar import label, moved
from tests import factories
from tests.conftest import Connection
from tests.db import months

pytestmark = pytest.mark.usefixtures("committed")
OLD = dt.date(1995, 3, 1)


@pytest.fixture
def place(settings: Settings, tmp_path: Path, admin: Connection) -> Iterator[Path]:
    settings.OPSPILOT_SEAL_KEY = months.a_key()
    settings.OPSPILOT_ARCHIVE_DIR = str(tmp_path)
    yield tmp_path
    months.forget(admin, OLD)
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = 'replica'")
        admin.execute("DELETE FROM trail_expiry WHERE month < '2000-01-01'")


def run(*words: str, fails: bool = False) -> tuple[str, dict[str, Any]]:
    out = StringIO()
    with pytest.raises(CommandError) if fails else nullcontext() as caught:
        call_command("partitions", *words, "--json", stdout=out)
    assert caught is None or caught.value.returncode == 1
    *lines, last = out.getvalue().splitlines()
    return "\n".join(lines), json.loads(last)


def test_a_plan_says_what_would_happen_and_changes_nothing(admin: Connection) -> None:
    last = moved(months.this_month(), 3)
    with months.detached(admin, last):
        text, body = run("plan")
        assert body["create"] == [label(last)]
        assert text.startswith(f"create: {label(last)}")
        assert last not in catalogue.months_of()


def test_a_month_that_runs_is_told_apart_from_one_that_may_go(
    admin: Connection, place: Path
) -> None:
    tenant = factories.a_tenant()
    months.a_rule(tenant)
    months.make(OLD)
    months.fill(admin, tenant, OLD)
    text, body = run("plan")
    assert f"{label(OLD)}: may go" in text
    assert f"{label(months.this_month())}: stays: it is not over" in text
    assert body["months"][0] == {
        "month": "1995-03", "verdict": "goes", "keep_until": "1995-05-01T00:00:00+00:00", "rows": 3,
    }  # fmt: skip


def test_an_expiry_is_told_and_its_archive_can_be_checked(admin: Connection, place: Path) -> None:
    tenant = factories.a_tenant()
    months.a_rule(tenant)
    months.make(OLD)
    months.fill(admin, tenant, OLD)
    months.seal(tenant)
    text, body = run("expire")
    assert (text, body["months"]) == (
        "1995-03: gone",
        [{"month": "1995-03", "gone": True, "why": ""}],
    )
    text, body = run("restore-check", str(place / "1995-03"))
    assert body["rows"] == 3
    (part,) = (place / "1995-03").glob("*.gz")
    part.write_bytes(b"")
    text, body = run("restore-check", str(place / "1995-03"), fails=True)
    assert "is not what was written" in text


def test_an_expiry_that_cannot_be_says_why_and_ends_with_one(
    admin: Connection, place: Path
) -> None:
    tenant = factories.a_tenant()
    months.a_rule(tenant)
    months.make(OLD)
    months.fill(admin, tenant, OLD)
    text, body = run("expire", fails=True)
    assert "not sealed" in text
    assert body["months"][0]["gone"] is False


def test_a_trail_that_is_well_verifies_and_one_with_a_gap_does_not(admin: Connection) -> None:
    _text, body = run("verify")
    assert (body["ahead"], body["faults"]) == (3, [])
    with months.detached(admin, moved(months.this_month(), 2)):
        text, body = run("verify", fails=True)
        assert body["ahead"] == 1
        assert "missing, and the ledger does not say that it went" in text
        assert "attached to nothing; `partitions create` takes it up" in text


def test_an_archive_to_check_must_be_named() -> None:
    with pytest.raises(CommandError, match="needs the folder"):
        call_command("partitions", "restore-check", stdout=StringIO())
