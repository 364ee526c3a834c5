"""The connectors that are to be checked, and the companies for which none was ever looked at: these
come with 0 for a row, and the lane makes the rows."""

from __future__ import annotations

import importlib

from django.db import migrations

LISTS = importlib.import_module("opspilot.worker.migrations.0002_due_lists")
BEFORE: str = importlib.import_module("opspilot.worker.migrations.0007_due_seconds").DUE_WORK
END = "\n  ), served AS MATERIALIZED"
CHECKS = f"""
    UNION ALL
    SELECT c.tenant_id, c.id FROM connector_check c
     WHERE due_work.kind = 'checks' AND c.next_at <= clock_timestamp()
       AND (c.lease_until IS NULL OR c.lease_until < clock_timestamp())
    UNION ALL
    SELECT DISTINCT m.tenant_id, 0::bigint FROM membership m
     WHERE due_work.kind = 'checks'
       AND NOT EXISTS (SELECT FROM connector_check c WHERE c.tenant_id = m.tenant_id){END}"""
DUE_WORK = BEFORE.replace(END, CHECKS)


class Migration(migrations.Migration):
    dependencies = [("worker", "0007_due_seconds"), ("conectores", "0001_initial")]

    operations = [migrations.RunSQL(LISTS.replaced(DUE_WORK), LISTS.replaced(BEFORE))]
