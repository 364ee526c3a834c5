"""Audit packs that are to be built or whose files are to go."""

from __future__ import annotations

import importlib

from django.db import migrations

LISTS = importlib.import_module("opspilot.worker.migrations.0002_due_lists")
BEFORE: str = importlib.import_module("opspilot.worker.migrations.0012_due_reports").DUE_WORK
END = "\n  ), served AS MATERIALIZED"
PACKS = f"""
    UNION ALL
    SELECT p.tenant_id, p.id FROM proof_pack p
     WHERE due_work.kind = 'packs'
       AND (p.state IN ('na_fila', 'montando')
            OR (p.state = 'pronto' AND p.expires_at <= clock_timestamp()))
       AND (p.lease_until IS NULL OR p.lease_until < clock_timestamp()){END}"""
DUE_WORK = BEFORE.replace(END, PACKS)


class Migration(migrations.Migration):
    dependencies = [("worker", "0012_due_reports"), ("approvals", "0027_packs")]

    operations = [migrations.RunSQL(LISTS.replaced(DUE_WORK), LISTS.replaced(BEFORE))]
