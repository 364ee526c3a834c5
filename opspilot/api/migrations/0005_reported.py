"""The keys of the rows that agents report: one row of the trail for each, whatever month it is in."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import append_only, tenant_table


class Migration(migrations.Migration):
    dependencies = [("api", "0004_forget_keys")]

    operations = [
        migrations.CreateModel(
            name="ReportedAction",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("key_hash", models.CharField(max_length=64)),
                ("body_hash", models.CharField(max_length=64)),
                ("trail_row", models.BigIntegerField()),
                ("at", models.DateTimeField(db_default=Now())),
                (
                    "agent",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="api.agent",
                    ),
                ),
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
                "db_table": "reported_action",
                "constraints": [
                    models.UniqueConstraint(
                        fields=["tenant", "id"], name="reported_action_tenant_id"
                    ),
                    models.UniqueConstraint(
                        fields=["tenant", "agent", "key_hash"], name="reported_action_once"
                    ),
                ],
            },
        ),
        tenant_table("reported_action", references=[("agent_id", "agent")]),
        migrations.RunSQL(append_only("reported_action"), migrations.RunSQL.noop),
    ]
