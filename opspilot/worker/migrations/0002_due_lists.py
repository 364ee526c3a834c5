"""The lists of open issues that are to be read again, beside the work that waited before."""

from __future__ import annotations

import importlib

from django.db import migrations

from opspilot.tenancy.schema import DEFINER

BEFORE: str = importlib.import_module("opspilot.worker.migrations.0001_due_work").DUE_WORK
LISTS = """
    UNION ALL
    SELECT l.tenant_id, l.id FROM open_issue_list l
     WHERE due_work.kind = 'issues' AND l.next_at <= clock_timestamp()
       AND l.wanted_until > clock_timestamp()
       AND (l.lease_until IS NULL OR l.lease_until < clock_timestamp())
  ) d ORDER BY"""


def replaced(create: str) -> str:
    """The same function with another body; its owner and its grants stay."""
    body = create.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
    return f"SET LOCAL ROLE {DEFINER};\n{body};\nRESET ROLE"


DUE_WORK = BEFORE.replace("\n  ) d ORDER BY", LISTS)


class Migration(migrations.Migration):
    dependencies = [("worker", "0001_due_work"), ("approvals", "0006_same_target")]

    operations = [migrations.RunSQL(replaced(DUE_WORK), replaced(BEFORE))]
