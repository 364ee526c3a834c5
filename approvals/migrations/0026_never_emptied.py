"""What is never deleted row by row is not emptied at once either, whoever owns the table."""

from __future__ import annotations

from django.db import migrations

TABLES = ("policy_version", "approval_delegation")
NEVER_EMPTIED = "\n".join(
    f"CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON {table} "
    "FOR EACH STATEMENT EXECUTE FUNCTION append_only();"
    for table in TABLES
)
EMPTIED = "\n".join(f"DROP TRIGGER append_only_truncate ON {table};" for table in TABLES)


class Migration(migrations.Migration):
    dependencies = [("approvals", "0025_owner_of_the_first"), ("audit", "0002_trail")]

    operations = [migrations.RunSQL(NEVER_EMPTIED, EMPTIED)]
