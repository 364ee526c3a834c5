"""Row level security of the runs."""

from __future__ import annotations

from django.db import migrations

from opspilot.tenancy.schema import tenant_table


class Migration(migrations.Migration):
    dependencies = [("harness", "0001_initial"), ("tenancy", "0002_law")]

    operations = [
        tenant_table("run", app="SELECT, INSERT, UPDATE", definer_reads=True),
    ]
