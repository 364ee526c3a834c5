"""Traces that are to be built or whose files are to go."""

from __future__ import annotations

import importlib

from django.db import migrations

LISTS = importlib.import_module("opspilot.worker.migrations.0002_due_lists")
BEFORE: str = importlib.import_module("opspilot.worker.migrations.0009_due_undone").DUE_WORK
END = "\n  ), served AS MATERIALIZED"
TRACES = f"""
    UNION ALL
    SELECT t.tenant_id, t.id FROM trace_export t
     WHERE due_work.kind = 'traces'
       AND (t.state IN ('na_fila', 'montando')
            OR (t.state = 'pronto' AND t.expires_at <= clock_timestamp()))
       AND (t.lease_until IS NULL OR t.lease_until < clock_timestamp()){END}"""
DUE_WORK = BEFORE.replace(END, TRACES)


class Migration(migrations.Migration):
    dependencies = [("worker", "0009_due_undone"), ("audit", "0004_traces")]

    operations = [migrations.RunSQL(LISTS.replaced(DUE_WORK), LISTS.replaced(BEFORE))]
