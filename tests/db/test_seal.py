"""The seal: what it covers, how it chains, which keys it believes, and what it finds."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, connection

from audit.models import TrailKey
from audit.seal import closing, heads, keys, ledger, verify
from audit.seal.sealing import GENESIS
from audit.seal.windows import Reason, State
from audit.seal.words import sentence
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import months, sealed


@pytest.fixture
def key(settings: Any) -> str:
    settings.OPSPILOT_SEAL_KEY = sealed.a_pem()
    return str(settings.OPSPILOT_SEAL_KEY)


@pytest.fixture
def tenant(committed: None, key: str, admin: Connection) -> Iterator[Tenant]:
    yield factories.a_tenant()
    months.forget(admin, sealed.month())


def behind_the_triggers(admin: Connection, sql: str, *parameters: object) -> None:
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = 'replica'")
        admin.execute(sql, parameters)


def test_each_hour_with_rows_has_a_seal_and_the_hours_between_lie_in_the_next_one(
    tenant: Tenant, admin: Connection
) -> None:
    sealed.write(admin, tenant, 10, 11, 15)
    assert sealed.seal(tenant) == 3
    found = sealed.seals(tenant)
    assert [(seal.number, seal.rows) for seal in found] == [(1, 5), (2, 5), (3, 5)]
    assert [seal.from_at for seal in found] == [sealed.at(10), sealed.at(11), sealed.at(12)]
    assert [seal.until_at for seal in found] == [sealed.at(11), sealed.at(12), sealed.at(16)]


def test_each_seal_carries_the_hash_of_the_one_before(tenant: Tenant, admin: Connection) -> None:
    sealed.write(admin, tenant, 10, 11, 12)
    sealed.seal(tenant)
    first, second, third = sealed.seals(tenant)
    assert (first.previous, second.previous, third.previous) == (GENESIS, first.hash, second.hash)


def test_nothing_is_sealed_again(tenant: Tenant, admin: Connection) -> None:
    sealed.write(admin, tenant, 10, 11)
    sealed.seal(tenant)
    assert sealed.seal(tenant) == 0


def test_an_hour_that_is_not_closed_stays_open_and_is_counted(
    tenant: Tenant, admin: Connection
) -> None:
    sealed.write(admin, tenant, 10, 11)
    sealed.seal(tenant, until=11)
    report = verify.verify_tenant(tenant.pk)
    assert (report.is_good, report.last, report.tally.rows, report.tail.rows) == (True, 1, 5, 5)


def test_a_trail_that_nobody_touched_is_intact(tenant: Tenant, admin: Connection) -> None:
    sealed.write(admin, tenant, 0, 10, 11, 23, rows=8)
    sealed.seal(tenant)
    report = verify.verify_tenant(tenant.pk)
    assert (report.tally.counts[State.INTACT], report.rows, report.anchored) == (4, 32, True)
    assert report.is_good


def test_a_row_changed_before_its_seal_stays_red_after_it(
    tenant: Tenant, admin: Connection
) -> None:
    sealed.write(admin, tenant, 10)
    behind_the_triggers(
        admin, "UPDATE agente_acao SET resultado = 'erro' WHERE tenant_id = %s", tenant.pk
    )
    sealed.seal(tenant)
    bad = verify.verify_tenant(tenant.pk).first_bad
    assert bad is not None
    assert (bad.number, bad.state, bad.reason) == (1, State.ALTERED, Reason.ROW_CHANGED)


def test_a_row_changed_in_the_open_hour_is_found(tenant: Tenant, admin: Connection) -> None:
    sealed.write(admin, tenant, 10)
    behind_the_triggers(
        admin, "UPDATE agente_acao SET resultado = 'erro' WHERE tenant_id = %s", tenant.pk
    )
    bad = verify.verify_tenant(tenant.pk).first_bad
    assert bad is not None
    assert (bad.number, bad.state) == (None, State.ALTERED)


def test_the_first_bad_window_is_named_in_words(tenant: Tenant, admin: Connection) -> None:
    sealed.write(admin, tenant, 10, 11, 12)
    sealed.seal(tenant)
    behind_the_triggers(
        admin,
        "DELETE FROM agente_acao WHERE tenant_id = %s AND ocorrido_em >= %s AND ocorrido_em < %s",
        tenant.pk,
        sealed.at(11),
        sealed.at(11, 10),
    )
    bad = verify.verify_tenant(tenant.pk).first_bad
    assert bad is not None
    day = f"{sealed.day():%Y-%m-%d}"
    assert sentence(bad) == (
        f"window 2 ({day} 11:00 UTC to {day} 12:00 UTC) is alterada: 2 of 5 rows are gone"
    )


def test_without_a_key_from_outside_the_first_one_is_believed_and_that_is_said(
    tenant: Tenant, admin: Connection
) -> None:
    sealed.write(admin, tenant, 10)
    sealed.seal(tenant)
    report = verify.verify_tenant(tenant.pk, known={})
    assert (report.is_good, report.anchored) == (True, False)


def test_a_seal_by_a_key_that_nobody_knows_is_no_proof(tenant: Tenant, admin: Connection) -> None:
    sealed.write(admin, tenant, 10)
    sealed.seal(tenant)
    other = keys.parsed(sealed.a_pem())[0]
    report = verify.verify_tenant(tenant.pk, known={other.fingerprint: other.public_key})
    assert report.first_bad is not None
    assert report.first_bad.reason is Reason.SEAL_UNPROVED


def test_a_new_key_is_believed_when_the_one_before_presents_it(
    tenant: Tenant, admin: Connection, key: str, settings: Any
) -> None:
    sealed.write(admin, tenant, 10, 11)
    sealed.seal(tenant, until=11)
    first = keys.known_here()
    settings.OPSPILOT_SEAL_KEY = sealed.a_pem() + key
    sealed.seal(tenant)
    assert {seal.key for seal in sealed.seals(tenant)} == set(keys.known_here())
    assert verify.verify_tenant(tenant.pk, known=first).is_good


def test_a_new_key_that_came_alone_is_not_believed(
    tenant: Tenant, admin: Connection, settings: Any
) -> None:
    sealed.write(admin, tenant, 10, 11)
    sealed.seal(tenant, until=11)
    first = keys.known_here()
    settings.OPSPILOT_SEAL_KEY = sealed.a_pem()
    sealed.seal(tenant)
    bad = verify.verify_tenant(tenant.pk, known=first).first_bad
    assert bad is not None
    assert (bad.number, bad.reason) == (2, Reason.SEAL_UNPROVED)


def test_a_company_s_seals_say_nothing_of_another_s(tenant: Tenant, admin: Connection) -> None:
    other = factories.a_tenant()
    sealed.write(admin, tenant, 10)
    sealed.write(admin, other, 10, rows=3)
    assert (sealed.seal(tenant), sealed.seal(other)) == (1, 1)
    assert [verify.verify_tenant(one.pk).rows for one in (tenant, other)] == [5, 3]


@pytest.mark.parametrize("table", ["trail_seal", "trail_key", "trail_verification"])
@pytest.mark.parametrize("verb", ["DELETE FROM {}", "TRUNCATE {}"])
def test_the_application_cannot_take_back_what_the_seal_wrote(
    tenant: Tenant, table: str, verb: str
) -> None:
    with (
        pytest.raises(DatabaseError, match="permission denied"),
        tenant_scope(tenant.pk),
        connection.cursor() as cursor,
    ):
        cursor.execute(verb.format(table))


def test_not_even_the_owner_changes_a_seal(
    tenant: Tenant, admin: Connection, owner: Connection
) -> None:
    sealed.write(admin, tenant, 10)
    sealed.seal(tenant)
    with owner.transaction(force_rollback=True):
        owner.execute("SELECT set_config('opspilot.tenant_id', %s, true)", [str(tenant.pk)])
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
            owner.execute("UPDATE trail_seal SET rows = 4")


def a_writer(tenant: Tenant) -> Connection:
    """Another process of the application in the middle of writing a row."""
    writer = psycopg.connect(os.environ["DATABASE_URL"])
    writer.execute("SELECT set_config('opspilot.tenant_id', %s, true)", [str(tenant.pk)])
    writer.execute(
        "INSERT INTO agente_acao (tenant_id, correlacao_id, agente, agente_versao, modelo, "
        "instrucao_hash, acao, resultado, autorizacao) "
        "VALUES (%s, gen_random_uuid(), 'a', 'a', 'nenhum', 'x', 'x', 'ok', 'regra')",
        [tenant.pk],
    )
    return writer


def test_no_window_closes_while_a_transaction_that_wrote_before_is_open(tenant: Tenant) -> None:
    with a_writer(tenant) as writer:
        with pytest.raises(closing.OpenWriterError):
            closing.closed_until(patience=0.05)
        writer.commit()
        assert closing.closed_until(patience=0.05)


def test_a_reader_that_stays_open_holds_no_window_open(tenant: Tenant) -> None:
    with psycopg.connect(os.environ["DATABASE_URL"]) as reader:
        reader.execute("SELECT count(*) FROM agente_acao")
        assert closing.closed_until(patience=0.05)


def test_a_window_ends_a_minute_before_it_counts_as_closed(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closing, "writers", set)
    for minute, hour in ((0, 9), (2, 10)):
        moment = sealed.at(10, minute)
        monkeypatch.setattr(clock, "now", lambda moment=moment: moment)
        assert closing.closed_until() == sealed.at(hour)


def test_a_month_of_which_every_row_is_sealed_may_go(tenant: Tenant, admin: Connection) -> None:
    sealed.write(admin, tenant, 10, 11)
    sealed.seal(tenant)
    found = verify.month_is_sealed(tenant.pk, sealed.month())
    assert isinstance(found, ledger.SealedMonth)
    assert (found.rows, found.first_seal, found.last_seal) == (10, 1, 2)


def test_a_month_with_a_row_that_is_not_sealed_may_not_go(
    tenant: Tenant, admin: Connection
) -> None:
    sealed.write(admin, tenant, 10, 11)
    sealed.seal(tenant, until=11)
    found = verify.month_is_sealed(tenant.pk, sealed.month())
    assert isinstance(found, verify.Refusal)
    assert (found.code, found.reason.startswith("5 rows")) == ("sem_selo", True)


def test_a_month_with_a_changed_row_may_not_go(tenant: Tenant, admin: Connection) -> None:
    sealed.write(admin, tenant, 10, 11)
    sealed.seal(tenant)
    behind_the_triggers(
        admin, "UPDATE agente_acao SET agente = 'x' WHERE tenant_id = %s", tenant.pk
    )
    found = verify.month_is_sealed(tenant.pk, sealed.month())
    assert isinstance(found, verify.Refusal)
    assert found.code == "alterada"


def test_a_month_without_rows_is_sealed_by_saying_so(tenant: Tenant) -> None:
    found = verify.month_is_sealed(tenant.pk, dt.date(2190, 1, 1))
    assert isinstance(found, ledger.SealedMonth)
    assert (found.rows, found.first_seal) == (0, None)


def test_a_head_written_down_outside_is_read_back_as_it_was(
    tenant: Tenant, admin: Connection
) -> None:
    sealed.write(admin, tenant, 10)
    sealed.seal(tenant)
    with tenant_scope(tenant.pk):
        head, public = heads.newest(), heads.public_keys()
    assert head is not None
    kept = heads.parse(heads.document([head], public))
    assert (kept.heads[tenant.pk], kept.keys) == (head, public)
    assert verify.verify_tenant(tenant.pk, head=head, known=kept.keys).is_good


def test_a_trail_that_was_cut_and_sealed_anew_is_told_by_the_head(
    tenant: Tenant, admin: Connection
) -> None:
    """The worker does not know what was there: it seals what it finds, and the chain holds."""
    sealed.write(admin, tenant, 10, 11, 12)
    sealed.seal(tenant)
    with tenant_scope(tenant.pk):
        head = heads.newest()
    behind_the_triggers(admin, "DELETE FROM trail_seal WHERE tenant_id = %s", tenant.pk)
    behind_the_triggers(
        admin,
        "DELETE FROM agente_acao WHERE tenant_id = %s AND entrada_resumo = 'linha 2'",
        tenant.pk,
    )
    assert sealed.seal(tenant) == 3
    assert verify.verify_tenant(tenant.pk).is_good
    bad = verify.verify_tenant(tenant.pk, head=head).first_bad
    assert bad is not None
    assert (bad.number, bad.reason) == (3, Reason.HEAD_CHANGED)


def test_the_hash_of_a_row_covers_the_columns_of_its_first_form(tenant: Tenant) -> None:
    """Who adds a column to the trail must leave it out of the hash of the rows from before, or every
    one of them would look changed: see rehashed_rows.sql."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_attribute WHERE attrelid = 'agente_acao'::regclass "
            "AND attnum > 0 AND NOT attisdropped"
        )
        assert cursor.fetchone() == (33,)


def test_a_key_in_the_database_is_not_believed_under_another_s_name(tenant: Tenant) -> None:
    mine, other = (keys.parsed(sealed.a_pem())[0] for _ in range(2))
    row = TrailKey(tenant_id=tenant.pk, fingerprint=mine.fingerprint, public_key=other.public_key)
    assert keys.trust([row], {}).public == {}
