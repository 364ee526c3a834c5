"""What is read of a template before a task is proposed, and what a task prints while it runs."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import tenant_table

TENANT = models.ForeignKey(
    db_index=False,
    on_delete=django.db.models.deletion.PROTECT,
    related_name="+",
    to="tenancy.tenant",
)


class Migration(migrations.Migration):
    dependencies = [("approvals", "0016_who_is_behind"), ("tenancy", "0003_preferences")]

    operations = [
        migrations.CreateModel(
            name="TemplatePreflight",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("project", models.IntegerField()),
                ("template", models.IntegerField()),
                ("wanted_until", models.DateTimeField()),
                ("name", models.CharField(blank=True, default="", max_length=200)),
                ("playbook", models.CharField(blank=True, default="", max_length=300)),
                ("fingerprint", models.CharField(blank=True, default="", max_length=64)),
                ("faults", models.JSONField(default=list)),
                ("survey", models.JSONField(default=list)),
                ("hosts", models.JSONField(null=True)),
                ("outcome", models.CharField(blank=True, default="", max_length=30)),
                ("looked_at", models.DateTimeField(null=True)),
                ("tried_at", models.DateTimeField(null=True)),
                ("next_at", models.DateTimeField(db_default=Now())),
                ("claim_token", models.UUIDField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("tenant", TENANT),
            ],
            options={
                "db_table": "template_preflight",
                "constraints": [
                    models.UniqueConstraint(
                        fields=["tenant", "id"], name="template_preflight_tenant_id"
                    ),
                    models.UniqueConstraint(
                        fields=["tenant", "project", "template"],
                        name="template_preflight_template",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TaskOutput",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("status", models.CharField(max_length=40)),
                ("text", models.TextField(blank=True, default="")),
                ("recap", models.JSONField(default=dict)),
                ("ended", models.BooleanField(default=False)),
                ("seen_at", models.DateTimeField(db_default=Now())),
                (
                    "execution",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="approvals.execution",
                    ),
                ),
                ("tenant", TENANT),
            ],
            options={
                "db_table": "task_output",
                "constraints": [
                    models.UniqueConstraint(fields=["tenant", "id"], name="task_output_tenant_id"),
                    models.UniqueConstraint(
                        fields=["tenant", "execution"], name="task_output_once"
                    ),
                ],
            },
        ),
        tenant_table(
            "template_preflight",
            app="SELECT, INSERT, UPDATE",
            definer_reads=True,
        ),
        tenant_table(
            "task_output",
            app="SELECT, INSERT, UPDATE (status, text, recap, ended, seen_at)",
            references=[("execution_id", "execution")],
        ),
    ]
