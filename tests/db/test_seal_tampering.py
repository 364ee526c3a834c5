"""Somebody with the superuser's keys changes one thing: it is found each time, and nothing else is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from audit.models import TrailExpiry
from audit.seal import heads, keys, ledger, verify
from audit.seal.heads import Head
from audit.seal.windows import State
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import months, sealed, tampering

HOURS = (6, 7, 9, 10, 15)
ROWS = 8


@pytest.fixture
def scene(committed: None, admin: Connection, settings: Any) -> Iterator[tuple[Tenant, Head]]:
    """A sealed trail, and its head as it was written down elsewhere."""
    settings.OPSPILOT_SEAL_KEY = sealed.a_pem()
    tenant = factories.a_tenant()
    sealed.write(admin, tenant, *HOURS, rows=ROWS)
    assert sealed.seal(tenant) == len(HOURS)
    with tenant_scope(tenant.pk):
        head = heads.newest()
    assert head is not None
    with sealed.superuser():
        yield tenant, head
    months.forget(admin, sealed.month())


def found(tenant: Tenant, head: Head | None) -> verify.Report:
    return verify.verify_tenant(tenant.pk, head=head, using=sealed.SUPERUSER)


def rounds(scene: tuple[Tenant, Head], numbers: range) -> Counter[tuple[str, bool]]:
    """How often each kind was done, and whether it was found."""
    tenant, head = scene
    counted: Counter[tuple[str, bool]] = Counter()
    for number in numbers:
        kind = tampering.KINDS[number % len(tampering.KINDS)]
        trail = tampering.Trail(tenant.pk, HOURS, number)
        with sealed.undone():
            assert kind(trail) > 0, f"{kind.__name__} of round {number} changed nothing"
            counted[kind.__name__, not found(tenant, head).is_good] += 1
    assert found(tenant, head).is_good
    return counted


def test_in_forty_five_rounds_each_of_nine_kinds_is_found(scene: tuple[Tenant, Head]) -> None:
    counted = rounds(scene, range(45))
    assert counted == {(kind.__name__, True): 5 for kind in tampering.KINDS}


@pytest.mark.machine
def test_in_a_thousand_rounds_every_one_is_found(scene: tuple[Tenant, Head]) -> None:
    counted = rounds(scene, range(1_000))
    print(f"\n{counted.total()} rounds:", dict(counted))
    assert {was_found for _kind, was_found in counted} == {True}


@pytest.mark.parametrize("change", tampering.SEAL_EDITS)
@pytest.mark.parametrize("number", [1, 3, 5])
def test_a_seal_of_which_one_field_was_changed_is_found_without_a_head(
    scene: tuple[Tenant, Head], change: str, number: int
) -> None:
    tenant, _ = scene
    with sealed.undone():
        assert sealed.run(tampering.EDIT_SEAL.format(change), tenant.pk, number) == 1
        assert not found(tenant, None).is_good


def test_the_newest_windows_deleted_with_their_seals_need_the_head(
    scene: tuple[Tenant, Head],
) -> None:
    tenant, head = scene
    with sealed.undone():
        tampering.cut_off(tampering.Trail(tenant.pk, HOURS[-1:], 1))
        assert found(tenant, None).is_good
        bad = found(tenant, head).first_bad
        assert bad is not None
        assert (bad.number, bad.state) == (len(HOURS), State.MISSING)


def test_a_window_whose_rows_and_seal_are_gone_from_the_middle_is_missing(
    scene: tuple[Tenant, Head],
) -> None:
    tenant, _ = scene
    with sealed.undone():
        sealed.run("DELETE FROM trail_seal WHERE tenant_id = %s AND number = 3", tenant.pk)
        sql = "DELETE FROM agente_acao WHERE tenant_id = %s AND ocorrido_em >= %s AND ocorrido_em < %s"
        sealed.run(sql, tenant.pk, sealed.at(9), sealed.at(10))
        report = found(tenant, None)
        bad = report.first_bad
        assert bad is not None
        assert (bad.number, bad.state, len(report.tally.bad)) == (3, State.MISSING, 1)


def drop_the_rows(tenant: Tenant) -> None:
    sealed.run("DELETE FROM agente_acao WHERE tenant_id = %s", tenant.pk)


def write_in_the_ledger(tenant: Tenant, signed: ledger.Signed) -> None:
    first, end = ledger.bounds(sealed.month())
    with tenant_scope(tenant.pk, using=sealed.SUPERUSER):
        TrailExpiry.objects.using(sealed.SUPERUSER).create(
            tenant_id=tenant.pk, month=sealed.month(), from_at=first, until_at=end, rows=40, first_row=1,
            last_row=2, root="", retention_id=1, basis="", author="", archive="", archive_sha256="",
            trail_row=1, statement=signed.statement, key=signed.key, signature=signed.signature,
        )  # fmt: skip


def signed_by_us(tenant: Tenant) -> ledger.Signed:
    whole = verify.month_is_sealed(tenant.pk, sealed.month())
    assert isinstance(whole, ledger.SealedMonth)
    return ledger.sign(whole, {"author": "admin 1", "retention": 1})


def test_rows_that_went_by_a_signed_expiry_raise_no_alarm(scene: tuple[Tenant, Head]) -> None:
    tenant, head = scene
    signed = signed_by_us(tenant)
    with sealed.undone():
        write_in_the_ledger(tenant, signed)
        assert found(tenant, head).tally.counts[State.INTACT] == len(HOURS)
        drop_the_rows(tenant)
        report = found(tenant, head)
        assert (report.is_good, report.tally.counts[State.EXPIRED]) == (True, len(HOURS))


def test_rows_that_went_without_an_expiry_are_missing(scene: tuple[Tenant, Head]) -> None:
    tenant, _ = scene
    with sealed.undone():
        drop_the_rows(tenant)
        assert found(tenant, None).tally.counts[State.MISSING] == len(HOURS)


def test_an_expiry_that_no_trusted_key_signed_is_a_forged_one(scene: tuple[Tenant, Head]) -> None:
    tenant, _ = scene
    signed = signed_by_us(tenant)
    other = keys.parsed(sealed.a_pem())[0]
    signature = other.sign("expiry", signed.statement)
    forged = ledger.Signed(signed.statement, other.fingerprint, signature)
    with sealed.undone():
        write_in_the_ledger(tenant, forged)
        assert found(tenant, None).tally.counts[State.FORGED] == 1
        drop_the_rows(tenant)
        assert found(tenant, None).tally.counts[State.FORGED] == len(HOURS)


def test_a_signed_expiry_of_other_rows_is_a_forged_one(scene: tuple[Tenant, Head]) -> None:
    """One that was signed once, put back with another number of rows, or for another company."""
    tenant, _ = scene
    signed = signed_by_us(tenant)
    fewer = ledger.Signed(signed.statement | {"rows": 39}, signed.key, signed.signature)
    with sealed.undone():
        write_in_the_ledger(tenant, fewer)
        drop_the_rows(tenant)
        assert found(tenant, None).tally.counts[State.FORGED] == len(HOURS)


def test_one_row_that_went_under_a_signed_expiry_is_still_found(
    scene: tuple[Tenant, Head],
) -> None:
    """An expiry takes whole months: what it left behind must be as it was sealed."""
    tenant, _ = scene
    signed = signed_by_us(tenant)
    with sealed.undone():
        write_in_the_ledger(tenant, signed)
        tampering.delete_middle(tampering.Trail(tenant.pk, HOURS, 2))
        assert found(tenant, None).tally.counts[State.ALTERED] == 1
