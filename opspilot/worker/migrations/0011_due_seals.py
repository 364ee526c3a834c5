"""The trails that are to be sealed, and the companies whose trail nobody ever looked at: these come
with 0 for a row, and the lane makes the row. A company without people has a trail too."""

from __future__ import annotations

import importlib

from django.db import migrations

LISTS = importlib.import_module("opspilot.worker.migrations.0002_due_lists")
BEFORE: str = importlib.import_module("opspilot.worker.migrations.0010_due_traces").DUE_WORK
END = "\n  ), served AS MATERIALIZED"
SEALS = f"""
    UNION ALL
    SELECT w.tenant_id, w.id FROM trail_watch w
     WHERE due_work.kind = 'seals' AND w.next_at <= clock_timestamp()
       AND (w.lease_until IS NULL OR w.lease_until < clock_timestamp())
    UNION ALL
    SELECT t.id, 0::bigint FROM tenant t
     WHERE due_work.kind = 'seals'
       AND NOT EXISTS (SELECT FROM trail_watch w WHERE w.tenant_id = t.id){END}"""
DUE_WORK = BEFORE.replace(END, SEALS)


class Migration(migrations.Migration):
    dependencies = [("worker", "0010_due_traces"), ("audit", "0006_seal")]

    operations = [migrations.RunSQL(LISTS.replaced(DUE_WORK), LISTS.replaced(BEFORE))]
