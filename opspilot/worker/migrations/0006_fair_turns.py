"""Turns between companies: a thousand due executions of one do not stand before another's only one.

Of executions, the company that was served the longest ago comes first, and its oldest row; asked for
one row at a time, that is turn by turn, over all workers, with no memory but the rows themselves. Of
the other kinds the companies' first rows come first, then their second ones.
"""

from __future__ import annotations

import importlib

from django.db import migrations

LISTS = importlib.import_module("opspilot.worker.migrations.0002_due_lists")
BEFORE: str = importlib.import_module("opspilot.worker.migrations.0005_due_looks").DUE_WORK
TURNS = """
  ), served AS MATERIALIZED (
    SELECT t.tenant_id, (SELECT max(e.updated_at) FROM execution e
                          WHERE e.tenant_id = t.tenant_id AND e.state <> 'retida') AS at
      FROM (SELECT DISTINCT due.tenant_id FROM due WHERE due_work.kind = 'execution') t
  )
  SELECT d.tenant_id, d.id FROM due d LEFT JOIN served s ON s.tenant_id = d.tenant_id
   ORDER BY s.at NULLS FIRST, row_number() OVER (PARTITION BY d.tenant_id ORDER BY d.id), d.id
   LIMIT maximum
$$"""
DUE_WORK = BEFORE.replace(
    "  SELECT d.tenant_id, d.id FROM (\n", "  WITH due AS MATERIALIZED (\n"
).replace("\n  ) d ORDER BY d.id LIMIT maximum\n$$", TURNS)
# For the look above and nothing else: the newest moment of each company.
SERVED = "CREATE INDEX execution_served ON execution (tenant_id, updated_at) WHERE state <> 'retida'"


class Migration(migrations.Migration):
    dependencies = [("worker", "0005_due_looks")]

    operations = [
        migrations.RunSQL(SERVED, "DROP INDEX execution_served"),
        migrations.RunSQL(LISTS.replaced(DUE_WORK), LISTS.replaced(BEFORE)),
    ]
