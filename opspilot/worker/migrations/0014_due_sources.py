"""The sources of knowledge whose time has come."""

from __future__ import annotations

import importlib

from django.db import migrations

LISTS = importlib.import_module("opspilot.worker.migrations.0002_due_lists")
BEFORE: str = importlib.import_module("opspilot.worker.migrations.0013_due_packs").DUE_WORK
END = "\n  ), served AS MATERIALIZED"
SOURCES = f"""
    UNION ALL
    SELECT s.tenant_id, s.id FROM sync_source s
     WHERE due_work.kind = 'sources' AND s.next_at <= clock_timestamp()
       AND (s.lease_until IS NULL OR s.lease_until < clock_timestamp()){END}"""
DUE_WORK = BEFORE.replace(END, SOURCES)


class Migration(migrations.Migration):
    dependencies = [("worker", "0013_due_packs"), ("grounding", "0008_links_and_sources")]

    operations = [migrations.RunSQL(LISTS.replaced(DUE_WORK), LISTS.replaced(BEFORE))]
