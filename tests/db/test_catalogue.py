"""The law of the tables, read from pg_catalog: what PostgreSQL enforces, whatever the models say."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from django.db import connection

from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import every_table

LAW = importlib.import_module("opspilot.tenancy.migrations.0002_law")
DOOR = importlib.import_module("opspilot.accounts.migrations.0001_initial")
REMOTES = importlib.import_module("opspilot.resilience.migrations.0001_initial")
LOAD = importlib.import_module("opspilot.resilience.migrations.0002_pressure")
GLOBAL_TABLES = (
    f"{LAW.GLOBAL_TABLES}, {DOOR.GLOBAL_TABLES}, {REMOTES.GLOBAL_TABLES}, {LOAD.GLOBAL_TABLES}, "
    "django_migrations"
)
GLOBAL = {name.strip() for name in GLOBAL_TABLES.split(",")}
TENANT_EXPRESSION = (
    "({key} = (NULLIF(current_setting('opspilot.tenant_id'::text, true), ''::text))::uuid)"
)
COUNT = "SELECT count(*) FROM {table}"
TENANTS_SEEN = "SELECT DISTINCT {key} FROM {table}"
INSERT_ONLY = [
    "access_review",
    "agent_owner_change",
    "agente_acao",
    "approval_comment",
    "approval_consumption",
    "approval_decision",
    "approval_effect",
    "approval_escalation",
    "chunking_policy",
    "collection_reader",
    "consult_receipt",
    "emergency_stop",
    "emergency_stop_lift",
    "entity_event",
    "execution_attempt",
    "fusion_choice",
    "legal_hold",
    "legal_hold_lift",
    "masking_count",
    "model_price",
    "notice_telling",
    "policy_version",
    "reported_action",
    "saved_report_run",
    "standing_use",
    "trail_expiry",
    "trail_key",
    "trail_retention",
    "trail_retention_activation",
    "trail_retention_end",
    "trail_review",
    "trail_review_end",
    "trail_review_finding",
    "trail_seal",
    "trail_verification",
]
DEFINER_FUNCTIONS = {
    "memberships_of",
    "principal_of_token",
    "tenants_with_old_keys",
    "due_work",
    "waiting_questions",
    "rollback_work",
    "decide_proposal",
    "record_membership",
    "record_person",
    "create_trail_month",
    "part_vectors",
    "build_vector_index",
    "drop_vector_index",
    "detach_trail_month",
    "drop_trail_month",
    "joined_entities",
    "mend_trail_months",
    "month_kept_apart",
    "trail_month_expired",
    "trail_tenants",
    "trail_month_standing",
}
# A bigint that points at a row by number and is not a foreign key, each for a reason.
LOOSE_REFERENCES = {("agente_acao", "aprovacao_id")}  # the trail outlives what it speaks of

pytestmark = pytest.mark.django_db


def rows(sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())


def tenant_tables() -> list[str]:
    """Every table of the schema that is not on the list of global ones, partitions left out."""
    found = rows(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace "
        "AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname"
    )
    return [name for (name,) in found if name not in GLOBAL]


def key_of(table: str) -> str:
    return "id" if table == "tenant" else "tenant_id"


def test_the_schema_has_tenant_tables_and_the_global_list_names_only_real_ones() -> None:
    known = {name for (name,) in rows("SELECT tablename FROM pg_tables WHERE schemaname='public'")}
    assert known >= GLOBAL
    assert {"tenant", "agente_acao", "agente_aprovacao", "chunk_vector"} <= set(tenant_tables())


def test_every_tenant_table_has_row_level_security_enabled_and_forced() -> None:
    bare = rows(
        "SELECT relname FROM pg_class WHERE relname = ANY(%s) "
        "AND relnamespace = 'public'::regnamespace "
        "AND NOT (relrowsecurity AND relforcerowsecurity)",
        tenant_tables(),
    )
    assert bare == []


def test_every_tenant_table_has_the_policy_that_compares_its_key() -> None:
    found = {
        table: (using, check)
        for table, using, check in rows(
            "SELECT polrelid::regclass::text, pg_get_expr(polqual, polrelid), "
            "pg_get_expr(polwithcheck, polrelid) FROM pg_policy "
            "WHERE polroles = '{0}' AND polcmd = '*' AND polpermissive"
        )
    }
    expected = {t: (TENANT_EXPRESSION.format(key=key_of(t)),) * 2 for t in tenant_tables()}
    assert found == expected


def test_no_policy_is_true_without_a_tenant_except_the_definer_s() -> None:
    others = rows(
        "SELECT polrelid::regclass::text, polname, polroles::regrole[]::text FROM pg_policy "
        "WHERE NOT (polroles = '{0}' AND polcmd = '*')"
    )
    assert others
    assert {roles for _table, _name, roles in others} == {"{opspilot_definer}"}


def test_the_definer_only_reads_but_for_a_proposal_s_state_and_the_memory_of_members() -> None:
    written = rows(
        "SELECT relname, p FROM pg_class, unnest(ARRAY['INSERT', 'UPDATE', 'DELETE']) p "
        "WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') "
        "AND (has_table_privilege('opspilot_definer', oid, p) OR (p <> 'DELETE' "
        "AND has_any_column_privilege('opspilot_definer', oid, p)))"
    )
    assert sorted(written) == [("agente_aprovacao", "UPDATE"), ("membership_change", "INSERT")]


def test_nobody_but_the_owner_may_become_the_definer() -> None:
    members = rows(
        "SELECT member::regrole::text, inherit_option FROM pg_auth_members "
        "WHERE roleid = 'opspilot_definer'::regrole AND member <> 'postgres'::regrole"
    )
    assert members == [("opspilot_owner", False)]


def test_every_unique_key_other_than_the_primary_starts_with_the_tenant() -> None:
    leading = rows(
        "SELECT indexrelid::regclass::text, attname FROM pg_index "
        "JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0] "
        "WHERE indisunique AND NOT indisprimary AND indrelid::regclass::text = ANY(%s)",
        tenant_tables(),
    )
    assert len(leading) > 10
    assert [index for index, column in leading if column != "tenant_id"] == []


def test_foreign_keys_between_tenant_tables_are_composite_and_start_with_the_tenant() -> None:
    keys = rows(
        "SELECT conname, confrelid::regclass::text, "
        "(SELECT array_agg(attname::text ORDER BY n) FROM unnest(conkey) WITH ORDINALITY u(k, n) "
        " JOIN pg_attribute ON attrelid = conrelid AND attnum = k), "
        "(SELECT array_agg(attname::text ORDER BY n) FROM unnest(confkey) WITH ORDINALITY u(k, n) "
        " JOIN pg_attribute ON attrelid = confrelid AND attnum = k) "
        "FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 "
        "AND conrelid::regclass::text = ANY(%s) AND confrelid::regclass::text = ANY(%s)",
        tenant_tables(),
        tenant_tables(),
    )
    for name, target, own, theirs in keys:
        if target == "tenant":
            assert (own, theirs) == (["tenant_id"], ["id"]), name
        else:
            assert (own[0], theirs) == ("tenant_id", ["tenant_id", "id"]), name


def test_every_column_that_names_another_row_is_held_by_a_foreign_key() -> None:
    loose = rows(
        "SELECT attrelid::regclass::text, attname::text FROM pg_attribute a "
        "WHERE attrelid::regclass::text = ANY(%s) AND attname LIKE '%%\\_id' "
        "AND atttypid = 'bigint'::regtype AND NOT EXISTS (SELECT FROM pg_constraint "
        "WHERE contype = 'f' AND conrelid = attrelid AND attnum = ANY(conkey))",
        tenant_tables(),
    )
    assert set(loose) == LOOSE_REFERENCES


def test_the_runtime_role_is_no_superuser_and_bypasses_nothing() -> None:
    assert rows(
        "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication "
        "FROM pg_roles WHERE rolname = 'opspilot_app'"
    ) == [(False, False, False, False, False)]


def test_the_runtime_role_owns_nothing() -> None:
    assert (
        rows(
            "SELECT relname FROM pg_class WHERE relowner = 'opspilot_app'::regrole UNION ALL "
            "SELECT proname FROM pg_proc WHERE proowner = 'opspilot_app'::regrole UNION ALL "
            "SELECT nspname FROM pg_namespace WHERE nspowner = 'opspilot_app'::regrole "
            "AND nspname NOT LIKE 'pg_temp%%' AND nspname NOT LIKE 'pg_toast%%'"
        )
        == []
    )


def test_what_only_grows_cannot_be_emptied_either() -> None:
    """A trigger on the rows does not see TRUNCATE, which the owner may run."""
    query = """
        SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'append_only'
        EXCEPT
        SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'append_only_truncate'"""
    assert rows(query) == []


def test_the_runtime_role_may_truncate_nothing() -> None:
    assert (
        rows(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace "
            "AND relkind IN ('r', 'p') AND has_table_privilege('opspilot_app', oid, 'TRUNCATE')"
        )
        == []
    )


def test_the_runtime_role_only_reads_the_memory_of_members() -> None:
    (rights,) = rows(
        "SELECT has_table_privilege('opspilot_app', 'membership_change', 'SELECT'), "
        "has_any_column_privilege('opspilot_app', 'membership_change', 'INSERT'), "
        "has_any_column_privilege('opspilot_app', 'membership_change', 'UPDATE'), "
        "has_table_privilege('opspilot_app', 'membership_change', 'DELETE')"
    )
    assert rights == (True, False, False, False)


def test_of_a_delegation_the_runtime_role_writes_the_revocation_only() -> None:
    found = rows(
        "SELECT attname FROM pg_attribute WHERE attrelid = 'approval_delegation'::regclass "
        "AND attnum > 0 AND has_column_privilege('opspilot_app', attrelid, attnum, 'UPDATE')"
    )
    assert sorted(found) == [("revoked_at",), ("revoked_by",)]


def test_of_a_standing_permission_the_runtime_role_writes_its_confirmation_and_its_end() -> None:
    found = rows(
        "SELECT attname FROM pg_attribute WHERE attrelid = 'standing_permission'::regclass "
        "AND attnum > 0 AND has_column_privilege('opspilot_app', attrelid, attnum, 'UPDATE')"
    )
    assert sorted(name for (name,) in found) == [
        "confirmed_by", "confirmed_name", "revoked_by", "revoked_name", "revoked_reason",
    ]  # fmt: skip


def test_of_an_entity_the_runtime_role_writes_that_its_identity_is_gone() -> None:
    found = rows(
        "SELECT attname FROM pg_attribute WHERE attrelid = 'entity'::regclass "
        "AND attnum > 0 AND has_column_privilege('opspilot_app', attrelid, attnum, 'UPDATE')"
    )
    assert sorted(found) == [("document_hash",), ("title",)]


def test_of_a_step_the_runtime_role_takes_the_arguments_away_and_nothing_else() -> None:
    found = rows(
        "SELECT attname FROM pg_attribute WHERE attrelid = 'run_step'::regclass "
        "AND attnum > 0 AND has_column_privilege('opspilot_app', attrelid, attnum, 'UPDATE')"
    )
    (deletes,) = rows("SELECT has_table_privilege('opspilot_app', 'run_step', 'DELETE')")
    assert (found, deletes) == ([("arguments",)], (False,))


def test_of_a_saved_report_the_runtime_role_writes_whether_and_when_it_runs() -> None:
    found = rows(
        "SELECT attname FROM pg_attribute WHERE attrelid = 'saved_report'::regclass "
        "AND attnum > 0 AND has_column_privilege('opspilot_app', attrelid, attnum, 'UPDATE')"
    )
    assert sorted(name for (name,) in found) == [
        "attempts", "claim_token", "lease_until", "next_at", "state",
    ]  # fmt: skip


def test_the_runtime_role_deletes_passages_terms_and_vectors_and_never_a_document() -> None:
    found = rows(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace "
        "AND relname = ANY(%s) AND has_table_privilege('opspilot_app', oid, 'DELETE')",
        ["chunk", "posting", "chunk_vector", "document", "document_version", "collection"],
    )
    assert sorted(name for (name,) in found) == ["chunk", "chunk_vector", "posting"]


def test_of_a_version_the_runtime_role_writes_its_standing_and_takes_its_text_away() -> None:
    found = rows(
        "SELECT attname FROM pg_attribute WHERE attrelid = 'document_version'::regclass "
        "AND attnum > 0 AND has_column_privilege('opspilot_app', attrelid, attnum, 'UPDATE')"
    )
    assert sorted(name for (name,) in found) == ["active", "findings", "replaced_at", "text"]


@pytest.mark.parametrize("table", INSERT_ONLY)
def test_the_runtime_role_may_only_read_and_insert(table: str) -> None:
    (rights,) = rows(
        "SELECT has_table_privilege('opspilot_app', %s, 'SELECT'), "
        "has_any_column_privilege('opspilot_app', %s, 'INSERT'), "
        "has_any_column_privilege('opspilot_app', %s, 'UPDATE'), "
        "has_table_privilege('opspilot_app', %s, 'DELETE')",
        *[table] * 4,
    )
    assert rights == (True, True, False, False)


def test_the_list_of_definer_functions_is_pinned_and_each_fixes_its_search_path() -> None:
    found = rows(
        "SELECT proname, proconfig FROM pg_proc "
        "WHERE prosecdef AND pronamespace = 'public'::regnamespace"
    )
    assert {name for name, _config in found} == DEFINER_FUNCTIONS
    assert [name for name, config in found if "search_path=public, pg_temp" not in config] == []


def counts() -> dict[str, int]:
    return {table: rows(COUNT.format(table=table))[0][0] for table in tenant_tables()}


def test_without_a_tenant_no_row_of_any_table_is_seen_though_two_tenants_have_them() -> None:
    first, second = factories.a_tenant(), factories.a_tenant()
    for tenant in (first, second):
        every_table.fill(tenant)
    assert counts() == dict.fromkeys(tenant_tables(), 0)
    for tenant in (first, second):
        with tenant_scope(tenant.pk):
            assert [table for table, count in counts().items() if count == 0] == []


def test_a_tenant_sees_only_its_own_rows_of_every_table() -> None:
    first, second = factories.a_tenant(), factories.a_tenant()
    for tenant in (first, second):
        every_table.fill(tenant)
    with tenant_scope(first.pk):
        for table in tenant_tables():
            found = rows(TENANTS_SEEN.format(key=key_of(table), table=table))
            assert found == [(first.pk,)], table
