"""What was undone is looked at too, where it was sent more than once: another may have arrived."""

from __future__ import annotations

import importlib

from django.db import migrations

LISTS = importlib.import_module("opspilot.worker.migrations.0002_due_lists")
BEFORE: str = importlib.import_module("opspilot.worker.migrations.0008_due_checks").DUE_WORK
LOOKED_AT = "e.state IN ('desconhecida', 'em_envio', 'concluida')"
DUE_WORK = BEFORE.replace(
    LOOKED_AT, "e.state IN ('desconhecida', 'em_envio', 'concluida', 'revertida')"
)


class Migration(migrations.Migration):
    dependencies = [("worker", "0008_due_checks")]

    operations = [migrations.RunSQL(LISTS.replaced(DUE_WORK), LISTS.replaced(BEFORE))]
