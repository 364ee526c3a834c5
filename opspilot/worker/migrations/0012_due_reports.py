"""The saved reports whose time has come."""

from __future__ import annotations

import importlib

from django.db import migrations

LISTS = importlib.import_module("opspilot.worker.migrations.0002_due_lists")
BEFORE: str = importlib.import_module("opspilot.worker.migrations.0011_due_seals").DUE_WORK
END = "\n  ), served AS MATERIALIZED"
REPORTS = f"""
    UNION ALL
    SELECT s.tenant_id, s.id FROM saved_report s
     WHERE due_work.kind = 'reports' AND s.next_at <= clock_timestamp()
       AND (s.lease_until IS NULL OR s.lease_until < clock_timestamp()){END}"""
DUE_WORK = BEFORE.replace(END, REPORTS)


class Migration(migrations.Migration):
    dependencies = [("worker", "0011_due_seals"), ("audit", "0011_saved_reports")]

    operations = [migrations.RunSQL(LISTS.replaced(DUE_WORK), LISTS.replaced(BEFORE))]
