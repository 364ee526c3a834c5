"""Something that runs on at the remote is looked at again, and so is one that was sent twice."""

from __future__ import annotations

import importlib

from django.db import migrations

LISTS = importlib.import_module("opspilot.worker.migrations.0002_due_lists")
BEFORE: str = importlib.import_module("opspilot.worker.migrations.0004_due_preflights").DUE_WORK
LOOKED_AT = "e.state = 'desconhecida' AND e.next_lookup_at <= clock_timestamp()"
DUE_WORK = BEFORE.replace(
    LOOKED_AT,
    "e.state IN ('desconhecida', 'em_envio', 'concluida')"
    " AND e.next_lookup_at <= clock_timestamp()",
)


class Migration(migrations.Migration):
    dependencies = [
        ("worker", "0004_due_preflights"),
        ("approvals", "0019_life_of_an_execution"),
    ]

    operations = [migrations.RunSQL(LISTS.replaced(DUE_WORK), LISTS.replaced(BEFORE))]
