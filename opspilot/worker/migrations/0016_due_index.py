"""The indexes that are to be looked at, and the companies that have none yet: these come with 0 for a
row, and the lane makes the row."""

from __future__ import annotations

import importlib

from django.db import migrations

LISTS = importlib.import_module("opspilot.worker.migrations.0002_due_lists")
BY_KIND = importlib.import_module("opspilot.worker.migrations.0015_due_by_kind")
INDEX = """
    SELECT k.tenant_id, k.id FROM knowledge_index k
     WHERE k.next_at <= clock_timestamp()
       AND (k.lease_until IS NULL OR k.lease_until < clock_timestamp())
    UNION ALL
    SELECT t.id, 0::bigint FROM tenant t
     WHERE NOT EXISTS (SELECT FROM knowledge_index k WHERE k.tenant_id = t.id)"""
LOOKS: dict[str, str] = BY_KIND.LOOKS | {"index": INDEX}


class Migration(migrations.Migration):
    dependencies = [("worker", "0015_due_by_kind"), ("grounding", "0006_index")]

    operations = [
        migrations.RunSQL(
            LISTS.replaced(BY_KIND.written(LOOKS)), LISTS.replaced(BY_KIND.written(BY_KIND.LOOKS))
        ),
    ]
