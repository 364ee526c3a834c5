"""Questions kept under a name, and what each answer was. Of a report the runtime role changes whether
and when it runs, never what it asks or for whom; an answer is only written."""

from __future__ import annotations

import uuid
from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import tenant_table

CHANGED = "state, next_at, attempts, claim_token, lease_until"


def _tenant() -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(
        db_index=False,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to="tenancy.tenant",
    )


class Migration(migrations.Migration):
    dependencies = [("audit", "0010_readings"), ("tenancy", "0005_mail_notices")]

    operations = [
        migrations.CreateModel(
            name="SavedReport",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("name", models.CharField(max_length=80)),
                ("slug", models.CharField(max_length=60)),
                ("address", models.JSONField(default=dict)),
                ("shared_with", models.JSONField(default=list)),
                ("owner", models.CharField(max_length=60)),
                ("owner_name", models.CharField(max_length=80)),
                (
                    "schedule",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "só quando pedido"),
                            ("diario", "todo dia"),
                            ("semanal", "toda segunda-feira"),
                            ("mensal", "todo dia 1º do mês"),
                        ],
                        default="",
                        max_length=8,
                    ),
                ),
                ("hour", models.PositiveSmallIntegerField(default=8)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("ativo", "ativo"),
                            ("pausado", "pausado"),
                            ("descansa", "em descanso"),
                            ("excluido", "excluído"),
                        ],
                        default="ativo",
                        max_length=8,
                    ),
                ),
                ("created_at", models.DateTimeField(db_default=Now())),
                ("next_at", models.DateTimeField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("claim_token", models.UUIDField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("tenant", _tenant()),
            ],
            options={
                "db_table": "saved_report",
                "indexes": [
                    models.Index(
                        fields=["next_at"],
                        name="saved_report_due",
                        condition=models.Q(("next_at__isnull", False)),
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="saved_report_tenant_id"),
                    models.UniqueConstraint(
                        fields=("tenant", "ref"), name="saved_report_tenant_ref"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SavedReportRun",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("at", models.DateTimeField(db_default=Now())),
                ("code", models.CharField(blank=True, default="", max_length=40)),
                ("version", models.PositiveSmallIntegerField()),
                ("rows", models.BigIntegerField(default=0)),
                ("sha256", models.CharField(blank=True, default="", max_length=64)),
                ("since", models.DateTimeField(null=True)),
                ("until", models.DateTimeField(null=True)),
                ("begins_later", models.BooleanField(default=False)),
                ("lines", models.JSONField(null=True)),
                ("is_same", models.BooleanField(null=True)),
                ("entered", models.PositiveIntegerField(null=True)),
                ("left", models.PositiveIntegerField(null=True)),
                (
                    "before",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="audit.savedreportrun",
                    ),
                ),
                (
                    "report",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="runs",
                        to="audit.savedreport",
                    ),
                ),
                ("tenant", _tenant()),
            ],
            options={
                "db_table": "saved_report_run",
                "indexes": [
                    models.Index(fields=["tenant", "report", "-id"], name="saved_report_run_newest")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "id"), name="saved_report_run_tenant_id"
                    ),
                    models.UniqueConstraint(
                        fields=("tenant", "ref"), name="saved_report_run_tenant_ref"
                    ),
                ],
            },
        ),
        tenant_table("saved_report", app=f"SELECT, INSERT, UPDATE ({CHANGED})", definer_reads=True),
        tenant_table(
            "saved_report_run",
            references=[("report_id", "saved_report"), ("before_id", "saved_report_run")],
        ),
    ]
