"""What the worker found at each remote, by company."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

from opspilot.tenancy.schema import tenant_table


class Migration(migrations.Migration):
    initial = True

    dependencies = [("tenancy", "0005_mail_notices")]

    operations = [
        migrations.CreateModel(
            name="ConnectorCheck",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "connector",
                    models.CharField(
                        choices=[("gitlab", "GitLab"), ("semaphore", "Semaphore")], max_length=20
                    ),
                ),
                ("findings", models.JSONField(default=list)),
                ("worst", models.CharField(blank=True, default="", max_length=10)),
                ("basis", models.CharField(blank=True, default="", max_length=30)),
                ("checked_at", models.DateTimeField(null=True)),
                ("pressed_at", models.DateTimeField(null=True)),
                ("next_at", models.DateTimeField(null=True)),
                ("claim_token", models.UUIDField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.tenant",
                    ),
                ),
            ],
            options={
                "db_table": "connector_check",
                "constraints": [
                    models.UniqueConstraint(
                        fields=["tenant", "id"], name="connector_check_tenant_id"
                    ),
                    models.UniqueConstraint(
                        fields=["tenant", "connector"], name="connector_check_once"
                    ),
                ],
            },
        ),
        tenant_table("connector_check", app="SELECT, INSERT, UPDATE", definer_reads=True),
    ]
