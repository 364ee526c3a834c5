"""The trail: insert-only, masked, and in step with what it records."""

from __future__ import annotations

import dataclasses
import datetime as dt
import uuid
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from audit import partitions, trail
from audit.models import AgenteAcao
from audit.story import queries
from audit.vocabulary import Authorization, Result
from grounding.models import Collection
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import NoTenantError, tenant_scope
from tests import factories
from tests.conftest import Connection

REFUSED = "permission denied|append-only"
INSERT = (
    "INSERT INTO agente_acao (tenant_id, correlacao_id, agente, agente_versao, modelo, "
    "instrucao_hash, acao, resultado, autorizacao, {column}) "
    "VALUES (%s, gen_random_uuid(), 'a', 'a', 'nenhum', 'x', 'x', 'ok', 'regra', %s)"
)
RECOMPUTED = (
    "SELECT linha_hash = sha256(convert_to((to_jsonb(a) - 'linha_hash')::text, 'UTF8')) "
    "FROM agente_acao a WHERE id = %s"
)


def an_entry(**values: Any) -> trail.Entry:
    entry = trail.Entry(
        correlacao_id=uuid.uuid4(),
        acao="conhecimento.consultado",
        resultado=Result.OK,
        autorizacao=Authorization.REGRA,
    )
    return dataclasses.replace(entry, **values)


def written(tenant: Tenant, **values: Any) -> AgenteAcao:
    with tenant_scope(tenant.pk):
        row_id = trail.record(an_entry(**values))
        return AgenteAcao.objects.get(id=row_id)


def execute(sql: str, *parameters: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchone() if cursor.description else None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("secret", "mark"),
    [
        ("529.982.247-25", "[CPF]"),
        ("52998224725", "[CPF]"),
        ("11.222.333/0001-81", "[CNPJ]"),
        ("12.ABC.345/01DE-35", "[CNPJ]"),
        ("glpat-abcdefghij0123456789", "[segredo]"),
        ("password=hunter22", "[segredo]"),
        ("pessoa@exemplo.com.br", "[e-mail]"),
        ("postgresql://app:s3nh4@db/opspilot", "[segredo]"),
    ],
)
def test_secrets_and_documents_are_masked_in_every_text(secret: str, mark: str) -> None:
    text = f"antes {secret} depois"
    row = written(
        factories.a_tenant(),
        entrada_resumo=text,
        saida_resumo=text,
        erro=text,
        aprovado_por=text,
        reversao_ref=text,
        fontes=[{"arquivo": text}],
    )
    texts = [row.entrada_resumo, row.saida_resumo, row.erro, row.aprovado_por, row.reversao_ref]
    for kept in (*texts, str(row.fontes)):
        assert mark in str(kept)
        assert secret not in str(kept)
        assert "antes" in str(kept)


@pytest.mark.django_db
def test_a_long_text_is_cut() -> None:
    assert len(written(factories.a_tenant(), erro="x" * 10_000).erro or "") == 500


@pytest.mark.django_db
def test_a_row_carries_the_database_s_clock_and_no_model_by_default() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        before = cursor.fetchone()[0]
    row = written(factories.a_tenant())
    assert dt.timedelta(0) <= row.ocorrido_em - before < dt.timedelta(seconds=5)
    assert (row.modelo, row.agente, len(row.linha_hash)) == ("nenhum", "console", 32)


@pytest.mark.django_db
def test_an_unknown_cost_is_null_and_not_zero() -> None:
    row = written(factories.a_tenant(), custo_exato=None)
    assert (row.custo_exato, row.uso_conhecido) == (None, False)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("column", "value"),
    [("ocorrido_em", "2020-01-01T00:00:00Z"), ("linha_hash", b"x"), ("id", 1)],
)
def test_the_application_cannot_set_what_is_the_database_s_word(column: str, value: object) -> None:
    tenant = factories.a_tenant()
    with pytest.raises(DatabaseError, match="permission denied"), tenant_scope(tenant.pk):
        execute(INSERT.format(column=column), tenant.pk, value)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE agente_acao SET resultado = 'ok'",
        "DELETE FROM agente_acao",
        "TRUNCATE agente_acao",
        "UPDATE approval_decision SET verdict = 'aprovar'",
        "DELETE FROM execution_attempt",
        "DELETE FROM policy_version",
    ],
)
def test_the_application_cannot_change_what_was_written(sql: str) -> None:
    tenant = factories.a_tenant()
    written(tenant)
    with pytest.raises(DatabaseError, match=REFUSED), tenant_scope(tenant.pk):
        execute(sql)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "verb", ["UPDATE {} SET resultado = 'ok'", "DELETE FROM {}", "TRUNCATE {}"]
)
def test_the_application_cannot_change_a_month_by_its_own_name(verb: str) -> None:
    tenant = factories.a_tenant()
    month = f"agente_acao_{dt.datetime.now(dt.UTC):%Y_%m}"
    with pytest.raises(DatabaseError, match="permission denied"), tenant_scope(tenant.pk):
        execute(verb.format(month))


def as_owner_of(tenant: Tenant, owner: Connection, sql: str) -> int:
    """How many rows the owner of the tables reaches inside this tenant."""
    with owner.transaction():
        owner.execute("SELECT set_config('opspilot.tenant_id', %s, true)", [str(tenant.pk)])
        return owner.execute(sql).rowcount


@pytest.mark.parametrize(
    "verb", ["UPDATE {} SET resultado = 'ok'", "DELETE FROM {}", "TRUNCATE {}"]
)
def test_not_even_the_owner_changes_the_trail(
    committed: None, owner: Connection, verb: str
) -> None:
    tenant = factories.a_tenant()
    row = written(tenant, resultado=Result.ERRO)
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
        as_owner_of(tenant, owner, verb.format("agente_acao"))
    assert is_still_there(row, tenant)


@pytest.mark.parametrize("verb", ["UPDATE {} SET resultado = 'ok'", "DELETE FROM {}"])
def test_the_owner_reaches_no_row_of_a_month_by_its_own_name(
    committed: None, owner: Connection, verb: str
) -> None:
    tenant = factories.a_tenant()
    row = written(tenant, resultado=Result.ERRO)
    month = f"agente_acao_{row.ocorrido_em:%Y_%m}"
    assert as_owner_of(tenant, owner, verb.format(month)) == 0
    assert is_still_there(row, tenant)


def test_the_owner_cannot_empty_a_month(committed: None, owner: Connection) -> None:
    tenant = factories.a_tenant()
    row = written(tenant)
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
        as_owner_of(tenant, owner, f"TRUNCATE agente_acao_{row.ocorrido_em:%Y_%m}")
    assert is_still_there(row, tenant)


def is_still_there(row: AgenteAcao, tenant: Tenant) -> bool:
    with tenant_scope(tenant.pk):
        return AgenteAcao.objects.filter(id=row.id, resultado=row.resultado).exists()


def test_a_row_is_rolled_back_with_what_it_records(committed: None) -> None:
    tenant = factories.a_tenant()

    def write_and_fail() -> None:
        with tenant_scope(tenant.pk):
            Collection.objects.create(tenant=tenant, slug="x", name="x")
            trail.record(an_entry())
            raise LookupError

    with pytest.raises(LookupError):
        write_and_fail()
    with tenant_scope(tenant.pk):
        assert (Collection.objects.count(), AgenteAcao.objects.count()) == (0, 0)


def test_what_is_recorded_is_rolled_back_with_a_row_that_cannot_be_written(
    committed: None,
) -> None:
    tenant = factories.a_tenant()

    def write_and_fail() -> None:
        with tenant_scope(tenant.pk):
            Collection.objects.create(tenant=tenant, slug="x", name="x")
            trail.record(an_entry(acao="issue.inventada"))

    with pytest.raises(KeyError):
        write_and_fail()
    with tenant_scope(tenant.pk):
        assert not Collection.objects.exists()


@pytest.mark.django_db
def test_an_action_that_is_not_registered_is_refused() -> None:
    with pytest.raises(KeyError), tenant_scope(factories.a_tenant().pk):
        trail.record(an_entry(acao="approvals.decisions.approve"))


@pytest.mark.django_db
def test_a_result_outside_the_list_is_refused_by_the_database() -> None:
    with pytest.raises(IntegrityError), tenant_scope(factories.a_tenant().pk):
        trail.record(an_entry(resultado="talvez"))


@pytest.mark.django_db
def test_nothing_is_written_outside_a_tenant() -> None:
    with pytest.raises(NoTenantError):
        trail.record(an_entry())


@pytest.mark.django_db
def test_an_entity_s_history_is_newest_first_and_of_its_tenant_only() -> None:
    mine, other = factories.a_tenant(), factories.a_tenant()
    ref = str(uuid.uuid4())
    for tenant in (mine, other, mine):
        written(tenant, entidade_tipo="cliente", entidade_id=ref)
    with tenant_scope(mine.pk):
        lines = queries.entity_history(entity_type="cliente", entity_id=ref)
    assert len(lines) == 2
    assert lines[0].at > lines[1].at


@pytest.mark.django_db
@pytest.mark.parametrize("zone", ["UTC", "America/Sao_Paulo", "Asia/Kolkata"])
def test_the_hash_of_a_row_does_not_depend_on_the_writer_s_time_zone(zone: str) -> None:
    tenant = factories.a_tenant()
    with tenant_scope(tenant.pk):
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('TimeZone', %s, true)", [zone])
        row_id = trail.record(an_entry(entrada_resumo="acentuação, “aspas” e 日本"))
        execute("SELECT set_config('TimeZone', 'UTC', true)")
        assert execute(RECOMPUTED, row_id) == (True,)


def test_a_change_behind_the_triggers_no_longer_matches_the_hash(
    committed: None, admin: Connection
) -> None:
    row = written(factories.a_tenant(), resultado=Result.ERRO)
    admin.execute("SET timezone = 'UTC'")
    assert admin.execute(RECOMPUTED, [row.id]).fetchone() == (True,)
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = 'replica'")
        admin.execute("UPDATE agente_acao SET resultado = 'ok' WHERE id = %s", [row.id])
    assert admin.execute(RECOMPUTED, [row.id]).fetchone() == (False,)


def test_this_month_and_the_next_three_exist(committed: None) -> None:
    wanted = [f"{month:%Y-%m}" for month in partitions.wanted(dt.datetime.now(dt.UTC).date())]
    assert len(wanted) == 4
    assert set(wanted) <= set(partitions.existing())


def test_months_are_wanted_across_the_end_of_a_year() -> None:
    found = [f"{month:%Y-%m}" for month in partitions.wanted(dt.date(2026, 11, 30))]
    assert found == ["2026-11", "2026-12", "2027-01", "2027-02"]


def test_creating_months_again_creates_nothing(committed: None) -> None:
    partitions.create()
    assert partitions.create() == []


def test_a_new_month_takes_the_law_of_the_trail(committed: None, admin: Connection) -> None:
    far = dt.date(2190, 1, 1)
    try:
        assert partitions.create(today=far)[0] == "2190-01"
        found = admin.execute(
            "SELECT relrowsecurity, relforcerowsecurity, relacl IS NULL, relowner::regrole::text "
            "FROM pg_class WHERE relname = 'agente_acao_2190_01'"
        ).fetchone()
        assert found == (True, True, True, "opspilot_owner")
    finally:
        for month in partitions.wanted(far):
            admin.execute(f"DROP TABLE IF EXISTS agente_acao_{month:%Y_%m}")


@pytest.mark.django_db
def test_the_application_cannot_create_a_month() -> None:
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        execute("SELECT create_trail_month('2191-01-01')")


def test_the_maintenance_role_can_do_nothing_else(maintenance: Connection) -> None:
    for sql in ("SELECT * FROM agente_acao", "DELETE FROM agente_acao", "DROP TABLE agente_acao"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            maintenance.execute(sql)
