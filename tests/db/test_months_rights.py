"""Who may do what to the months of the trail, read from pg_catalog."""

from __future__ import annotations

import psycopg
import pytest

from tests.conftest import Connection
from tests.db.test_catalogue import COUNT, rows

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "function",
    [
        "create_trail_month(date)",
        "mend_trail_months()",
        "detach_trail_month(date)",
        "drop_trail_month(date)",
    ],
)
def test_only_the_maintenance_role_executes_the_functions_of_months(function: str) -> None:
    allowed = rows(
        "SELECT rolname FROM pg_roles WHERE NOT rolsuper AND rolname LIKE 'opspilot%%' "
        "AND has_function_privilege(oid, %s, 'EXECUTE')",
        function,
    )
    assert {name for (name,) in allowed} == {"opspilot_maintenance", "opspilot_owner"}
    grants = rows(
        "SELECT grantee::regrole::text FROM pg_proc, aclexplode(proacl) "
        "WHERE oid = %s::regprocedure AND grantee <> proowner",
        function,
    )
    assert grants == [("opspilot_maintenance",)]


def test_only_maintenance_and_the_owner_s_functions_judge_the_months() -> None:
    grants = rows(
        "SELECT proname, grantee::regrole::text FROM pg_proc, aclexplode(proacl) "
        "WHERE proname LIKE 'trail\\_month\\_%%' AND grantee <> proowner ORDER BY 1, 2"
    )
    roles = ("opspilot_maintenance", "opspilot_owner")
    functions = ("trail_month_expired", "trail_month_standing")
    assert grants == [(function, role) for function in functions for role in roles]


def test_of_the_trail_the_definer_reads_no_text() -> None:
    found = rows(
        "SELECT attname FROM pg_attribute WHERE attrelid = 'agente_acao'::regclass "
        "AND attnum > 0 AND has_column_privilege('opspilot_definer', attrelid, attnum, 'SELECT')"
    )
    assert sorted(name for (name,) in found) == [
        "correlacao_id", "entidade_id", "entidade_tipo", "id", "ocorrido_em", "tenant_id",
    ]  # fmt: skip


def test_partitions_have_row_level_security_or_no_grant_at_all() -> None:
    found = rows(
        "SELECT relname, relrowsecurity AND relforcerowsecurity, EXISTS ("
        " SELECT FROM unnest(ARRAY['opspilot_app', 'opspilot_reader', 'opspilot_maintenance']) r "
        " WHERE has_table_privilege(r, c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')) "
        "FROM pg_class c WHERE relispartition AND relkind = 'r'"
    )
    assert len(found) >= 4
    assert [name for name, forced, granted in found if granted and not forced] == []


def test_a_partition_cannot_be_read_by_its_own_name(maintenance: Connection) -> None:
    (partition,) = rows("SELECT relname FROM pg_class WHERE relispartition AND relkind='r'")[0]
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        maintenance.execute(COUNT.format(table=partition))
    assert rows("SELECT has_table_privilege('opspilot_app', %s, 'SELECT')", partition) == [(False,)]
