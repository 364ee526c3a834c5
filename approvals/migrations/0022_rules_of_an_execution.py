"""An execution can carry newer rules than its proposal: what is to be sent once more does."""

from __future__ import annotations

import importlib

from django.db import migrations

from opspilot.tenancy.schema import as_definer

BEFORE: str = importlib.import_module("approvals.migrations.0011_rollback").ROLLBACK_WORK
ROLLBACK_WORK = BEFORE.replace(
    "AND a.versao_esquema > handler\n",
    """AND (a.versao_esquema > handler OR EXISTS (SELECT FROM execution e
            WHERE e.tenant_id = a.tenant_id AND e.approval_id = a.id AND e.versao_esquema > handler))
""",
)


def replaced(create: str) -> str:
    return as_definer(create.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"))


class Migration(migrations.Migration):
    dependencies = [("approvals", "0021_about_another")]

    operations = [migrations.RunSQL(replaced(ROLLBACK_WORK), replaced(BEFORE))]
