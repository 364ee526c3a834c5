"""The worker's lane: seals when it is time, checks once a day, and says what keeps it from it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from audit.management.commands import verify_trail
from audit.models import SealFault, TrailVerification, TrailWatch
from audit.seal import closing, keys, lane
from audit.seal.heads import Head, Heads
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests import factories
from tests.conftest import Connection
from tests.db import months, sealed
from tests.db.browsing import a_browser


@pytest.fixture
def tenant(
    committed: None, settings: Any, monkeypatch: pytest.MonkeyPatch, admin: Connection
) -> Iterator[Tenant]:
    """Three hours of rows, on a day that the clock of the test has just left behind."""
    settings.OPSPILOT_SEAL_KEY = sealed.a_pem()
    monkeypatch.setattr(clock, "now", lambda: sealed.at(24, 2))
    monkeypatch.setattr(closing, "writers", set)
    tenant = factories.a_tenant()
    sealed.write(admin, tenant, 10, 11, 23)
    yield tenant
    months.forget(admin, sealed.month())


def worked(tenant: Tenant) -> TrailWatch:
    """The company's watch after a turn of the lane."""
    lane.advance(tenant_id=tenant.pk, watch_id=lane.NO_ROWS)
    with tenant_scope(tenant.pk):
        watch = TrailWatch.objects.get()
    lane.advance(tenant_id=tenant.pk, watch_id=watch.pk)
    with tenant_scope(tenant.pk):
        return TrailWatch.objects.get()


def checks(tenant: Tenant) -> list[TrailVerification]:
    with tenant_scope(tenant.pk):
        return list(TrailVerification.objects.all())


def test_a_company_that_was_never_looked_at_is_due_and_then_has_its_row(tenant: Tenant) -> None:
    assert (tenant.pk, lane.NO_ROWS) in tasks.due("seals", 10_000)
    lane.advance(tenant_id=tenant.pk, watch_id=lane.NO_ROWS)
    with tenant_scope(tenant.pk):
        watch = TrailWatch.objects.get()
    due = tasks.due("seals", 10_000)
    assert (tenant.pk, watch.pk) in due
    assert (tenant.pk, lane.NO_ROWS) not in due


def test_a_turn_seals_all_that_is_closed_and_rests_until_the_next_hour(tenant: Tenant) -> None:
    watch = worked(tenant)
    assert [seal.number for seal in sealed.seals(tenant)] == [1, 2, 3]
    assert (watch.fault, watch.claim_token) == ("", None)
    assert (tenant.pk, watch.pk) not in tasks.due("seals", 10_000)


def test_a_turn_checks_the_day_before_and_keeps_what_it_found(tenant: Tenant) -> None:
    worked(tenant)
    (check,) = checks(tenant)
    assert (check.good, check.windows, check.rows) == (True, 3, 15)
    assert (check.from_at, check.until_at) == (sealed.at(0), sealed.at(24))


def test_a_day_is_checked_once(tenant: Tenant) -> None:
    worked(tenant)
    lane._verify_yesterday(tenant.pk)
    assert len(checks(tenant)) == 1


def test_a_day_that_is_not_as_it_was_sealed_is_kept_with_its_first_bad_window(
    tenant: Tenant, admin: Connection
) -> None:
    sealed.seal(tenant)
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = 'replica'")
        admin.execute(
            "UPDATE agente_acao SET agente = 'x' WHERE tenant_id = %s AND ocorrido_em = %s",
            [tenant.pk, sealed.at(11)],
        )
    worked(tenant)
    (check,) = checks(tenant)
    assert (check.good, check.first_bad["number"], check.first_bad["state"]) == (
        False, 2, "alterada",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("key", "fault"), [("", SealFault.NO_KEY), ("not a key", SealFault.BAD_KEY)]
)
def test_without_a_usable_key_nothing_is_sealed_and_that_is_noted(
    tenant: Tenant, settings: Any, key: str, fault: str
) -> None:
    settings.OPSPILOT_SEAL_KEY = key
    watch = worked(tenant)
    assert (watch.fault, sealed.seals(tenant)) == (fault, [])


def test_while_a_writer_is_open_nothing_is_sealed_and_it_is_tried_again_soon(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closing, "writers", lambda: {"3/14"})
    monkeypatch.setattr(closing.closed_until, "__kwdefaults__", {"patience": 0.0})
    watch = worked(tenant)
    assert (watch.fault, sealed.seals(tenant)) == (SealFault.OPEN_WRITER, [])


def test_what_stayed_unsealed_is_sealed_once_there_is_a_key(tenant: Tenant, settings: Any) -> None:
    key, settings.OPSPILOT_SEAL_KEY = settings.OPSPILOT_SEAL_KEY, ""
    watch = worked(tenant)
    settings.OPSPILOT_SEAL_KEY = key
    with tenant_scope(tenant.pk):
        TrailWatch.objects.update(next_at=watch.looked_at)
    lane.advance(tenant_id=tenant.pk, watch_id=watch.pk)
    assert len(sealed.seals(tenant)) == 3


def verified(*arguments: str) -> tuple[int, dict[str, Any], str]:
    """Exit code, the JSON object, and the text before it."""

    out, code = StringIO(), 0
    try:
        call_command("verify_trail", *arguments, "--json", stdout=out)
    except SystemExit as exc:
        code = int(str(exc.code))
    lines = out.getvalue().splitlines()
    return code, json.loads(lines[-1]), "\n".join(lines[:-1])


def test_the_command_ends_with_zero_when_all_is_as_it_was_sealed(tenant: Tenant) -> None:
    worked(tenant)
    code, found, text = verified("--tenant", tenant.slug)
    assert (code, found["ok"], found["rows"]) == (0, True, 15)
    assert f"{tenant.slug}: 3 intacta; 0 rows not sealed yet" in text


def test_the_command_judges_by_a_head_that_was_exported_before(
    tenant: Tenant, admin: Connection, tmp_path: Path
) -> None:
    worked(tenant)
    kept = tmp_path / "heads.json"
    assert verified("--tenant", tenant.slug, "--export-heads", str(kept))[0] == 0
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = 'replica'")
        admin.execute("DELETE FROM trail_seal WHERE tenant_id = %s AND number = 3", [tenant.pk])
        admin.execute(
            "DELETE FROM agente_acao WHERE tenant_id = %s AND ocorrido_em > %s",
            [tenant.pk, sealed.at(12)],
        )
    assert verified("--tenant", tenant.slug)[0] == 0
    code, found, text = verified("--tenant", tenant.slug, "--heads", str(kept))
    assert (code, found["tenants"][tenant.slug]["bad"][0]["state"]) == (1, "ausente")
    assert "window 3" in text


def test_no_head_is_exported_of_a_trail_that_is_not_as_it_was_sealed(
    tenant: Tenant, admin: Connection, tmp_path: Path
) -> None:
    worked(tenant)
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = 'replica'")
        admin.execute("DELETE FROM trail_seal WHERE tenant_id = %s AND number = 2", [tenant.pk])
    kept = tmp_path / "heads.json"
    assert verified("--tenant", tenant.slug, "--export-heads", str(kept))[0] == 1
    assert not kept.exists()


def test_the_command_refuses_a_file_that_holds_no_heads(tenant: Tenant, tmp_path: Path) -> None:
    kept = tmp_path / "heads.json"
    kept.write_text('{"format": "other"}')
    with pytest.raises(CommandError, match="no file that --export-heads wrote"):
        call_command("verify_trail", "--heads", str(kept))


def test_the_command_checks_every_company_and_those_that_only_a_head_names(tenant: Tenant) -> None:
    gone = Head(str(uuid.uuid4()), "gone", 3, "2026-11-30T12:00:00+00:00", "0" * 64)
    kept = Heads({uuid.UUID(gone.tenant): gone}, {})
    assert verify_trail._chosen(None, kept) >= {tenant.pk, uuid.UUID(gone.tenant)}


def test_the_command_says_when_no_company_has_that_name(committed: None) -> None:
    with pytest.raises(CommandError, match="no company is called nobody"):
        call_command("verify_trail", "--tenant", "nobody")


def test_the_page_says_that_the_trail_is_sealed_and_when(tenant: Tenant) -> None:
    worked(tenant)
    text = a_browser(tenant, Role.AUDITOR).read("/trilha/integridade/")
    assert "nº 3" in text
    assert "15 linhas como foram seladas" in text


def test_the_page_says_what_to_do_when_the_trail_does_not_hold(
    tenant: Tenant, admin: Connection
) -> None:
    sealed.seal(tenant)
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = 'replica'")
        admin.execute("DELETE FROM trail_seal WHERE tenant_id = %s AND number = 2", [tenant.pk])
    worked(tenant)
    text = a_browser(tenant, Role.ADMIN).read("/trilha/integridade/")
    assert "não confere" in text
    assert "Janela nº 2:" in text
    assert "Não corrija nem apague nada." in text


@pytest.mark.parametrize("key", ["", "not a key"])
def test_the_page_and_the_dashboard_say_that_there_is_no_usable_key(
    tenant: Tenant, settings: Any, key: str
) -> None:
    settings.OPSPILOT_SEAL_KEY = key
    worked(tenant)
    browser = a_browser(tenant, Role.ADMIN)
    assert "OPSPILOT_SEAL_KEY_FILE" in browser.read("/trilha/integridade/")
    assert "Selo da trilha" in browser.read("/")


def test_the_page_of_a_company_that_was_never_sealed_says_what_it_waits_for(
    tenant: Tenant,
) -> None:
    text = a_browser(tenant, Role.AUDITOR).read("/trilha/integridade/")
    assert "ainda não selada" in text


@pytest.mark.parametrize("role", [Role.OPERADOR, Role.APROVADOR])
def test_who_neither_audits_nor_keeps_the_rules_nor_administers_does_not_see_the_page(
    tenant: Tenant, role: Role
) -> None:
    assert a_browser(tenant, role).status("/trilha/integridade/") == 403


@pytest.mark.parametrize("role", [Role.AUDITOR, Role.CONFORMIDADE, Role.ADMIN])
def test_the_page_shows_the_public_key_whole_for_who_checks_a_file(
    tenant: Tenant, role: Role
) -> None:
    worked(tenant)
    public = keys.ring()[0].public_key
    text = a_browser(tenant, role).read("/trilha/integridade/")
    assert f">{public}<" in text
    assert f'data-copy="{public}"' in text


def test_the_head_of_the_page_is_one_that_the_command_takes(tenant: Tenant, tmp_path: Path) -> None:
    worked(tenant)
    answer = a_browser(tenant, Role.AUDITOR).client.get("/trilha/integridade/cabeca/")
    kept = tmp_path / "head.json"
    kept.write_bytes(answer.content)
    assert verified("--tenant", tenant.slug, "--heads", str(kept))[0] == 0
