"""The templates that are to be read before a task of them is proposed."""

from __future__ import annotations

import importlib

from django.db import migrations

LISTS = importlib.import_module("opspilot.worker.migrations.0002_due_lists")
BEFORE: str = importlib.import_module("opspilot.worker.migrations.0003_due_notices").DUE_WORK
PREFLIGHTS = """
    UNION ALL
    SELECT f.tenant_id, f.id FROM template_preflight f
     WHERE due_work.kind = 'preflight' AND f.next_at <= clock_timestamp()
       AND f.wanted_until > clock_timestamp()
       AND (f.lease_until IS NULL OR f.lease_until < clock_timestamp())
  ) d ORDER BY"""
DUE_WORK = BEFORE.replace("\n  ) d ORDER BY", PREFLIGHTS)


class Migration(migrations.Migration):
    dependencies = [("worker", "0003_due_notices"), ("approvals", "0017_tasks")]

    operations = [migrations.RunSQL(LISTS.replaced(DUE_WORK), LISTS.replaced(BEFORE))]
