"""The law of the tenant tables, as migration operations: one place, so no table can forget it."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.migrations import RunSQL

# After a transaction-local setting ends it reads as '', hence nullif. Plain equality, no OR.
CURRENT = "nullif(current_setting('opspilot.tenant_id', true), '')::uuid"
DEFINER = "opspilot_definer"


def tenant_table(
    table: str,
    *,
    app: str = "SELECT, INSERT",
    reader: bool = False,
    definer_reads: bool = False,
    references: Sequence[tuple[str, str]] = (),
    key: str = "tenant_id",
) -> RunSQL:
    """Forced row level security, the tenant policy, grants and composite foreign keys.

    `references` are (column, table): the key becomes (tenant_id, column) → table (tenant_id, id),
    so a row can never point at another tenant's. `app` is the runtime role's whole right.
    """
    statements = [
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
        f"CREATE POLICY tenant ON {table} USING ({key} = {CURRENT}) WITH CHECK ({key} = {CURRENT})",
        f"GRANT {app} ON {table} TO opspilot_app",
    ]
    if reader:
        statements.append(f"GRANT SELECT ON {table} TO opspilot_reader")
    if definer_reads:
        statements += [
            f"CREATE POLICY definer ON {table} FOR SELECT TO {DEFINER} USING (true)",
            f"GRANT SELECT ON {table} TO {DEFINER}",
        ]
    statements += [
        f"ALTER TABLE {table} ADD CONSTRAINT {table}_{column}_tenant "
        f"FOREIGN KEY (tenant_id, {column}) REFERENCES {target} (tenant_id, id)"
        for column, target in references
    ]
    # The table itself is dropped by the model's own operation when a migration is reversed.
    return RunSQL(";\n".join(statements), RunSQL.noop)


def append_only(*tables: str) -> str:
    """Beside the grants, for who has more than the application has: not even the owner changes, deletes
    or empties what is in them. The function is the trail's own."""
    return "\n".join(
        f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION append_only();\n"
        f"CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION append_only();"
        for table in tables
    )


def as_definer(text: str) -> str:
    """The statement in the definer's name: what it makes or replaces is the definer's. A migration
    is one transaction, so the role ends with it however it ends."""
    return f"SET LOCAL ROLE {DEFINER};\n{text};\nRESET ROLE"


def definer_function(create: str, *, name: str, execute: str) -> RunSQL:
    """A function owned by the definer role; `name` with its argument types, `execute` = grantee."""
    forward = as_definer(
        f"{create};\nREVOKE ALL ON FUNCTION {name} FROM PUBLIC;\n"
        f"GRANT EXECUTE ON FUNCTION {name} TO {execute}"
    )
    return RunSQL(forward, as_definer(f"DROP FUNCTION {name}"))
