"""One customer's trace, as asked for and as built. Of a row the runtime role changes how far the work
is, and never who asked, for what and about whom."""

from __future__ import annotations

import uuid

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import tenant_table

CHANGED = (
    "state, code, attempts, parts, rows, place_at, place_row, sha256, size, is_signed, ready_at, "
    "expires_at, claim_token, lease_until"
)


class Migration(migrations.Migration):
    dependencies = [("audit", "0003_newest_first"), ("tenancy", "0005_mail_notices")]

    operations = [
        migrations.CreateModel(
            name="Trace",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("entity_type", models.CharField(max_length=20)),
                ("entity_ref", models.UUIDField()),
                ("asked_by", models.CharField(max_length=60)),
                ("asked_by_name", models.CharField(max_length=80)),
                ("asked_role", models.CharField(max_length=20)),
                ("reason", models.CharField(max_length=500)),
                ("asked_at", models.DateTimeField(db_default=Now())),
                ("until", models.DateTimeField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("na_fila", "na fila"),
                            ("montando", "montando"),
                            ("pronto", "pronto"),
                            ("falhou", "falhou"),
                            ("vencido", "vencido"),
                        ],
                        default="na_fila",
                        max_length=10,
                    ),
                ),
                ("code", models.CharField(blank=True, default="", max_length=40)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("parts", models.PositiveIntegerField(default=0)),
                ("rows", models.BigIntegerField(default=0)),
                ("place_at", models.DateTimeField(null=True)),
                ("place_row", models.BigIntegerField(null=True)),
                ("sha256", models.CharField(blank=True, default="", max_length=64)),
                ("size", models.BigIntegerField(default=0)),
                ("is_signed", models.BooleanField(default=False)),
                ("ready_at", models.DateTimeField(null=True)),
                ("expires_at", models.DateTimeField(null=True)),
                ("claim_token", models.UUIDField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("versao_esquema", models.PositiveSmallIntegerField(db_default=1, default=1)),
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
                "db_table": "trace_export",
                "indexes": [
                    models.Index(
                        fields=["tenant", "entity_type", "entity_ref", "-id"],
                        name="trace_export_entity",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="trace_export_tenant_id"),
                    models.UniqueConstraint(
                        fields=("tenant", "ref"), name="trace_export_tenant_ref"
                    ),
                ],
            },
        ),
        tenant_table("trace_export", app=f"SELECT, INSERT, UPDATE ({CHANGED})", definer_reads=True),
    ]
