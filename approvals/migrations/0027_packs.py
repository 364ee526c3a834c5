"""Audit packs asked for on a page. Of a row the runtime role changes how far the work is, and never who
asked, for which quarter, how many and by which seed."""

from __future__ import annotations

import uuid

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import tenant_table

CHANGED = (
    "state, code, attempts, drawn, effects, sha256, size, ready_at, expires_at, claim_token, "
    "lease_until"
)


class Migration(migrations.Migration):
    dependencies = [("approvals", "0026_never_emptied"), ("tenancy", "0005_mail_notices")]

    operations = [
        migrations.CreateModel(
            name="ProofPack",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("quarter", models.CharField(max_length=7)),
                ("wanted", models.PositiveSmallIntegerField()),
                ("seed", models.CharField(max_length=64)),
                ("asked_by", models.CharField(max_length=60)),
                ("asked_by_name", models.CharField(max_length=80)),
                ("asked_at", models.DateTimeField(db_default=Now())),
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
                ("drawn", models.PositiveSmallIntegerField(default=0)),
                ("effects", models.PositiveIntegerField(default=0)),
                ("sha256", models.CharField(blank=True, default="", max_length=64)),
                ("size", models.BigIntegerField(default=0)),
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
                "db_table": "proof_pack",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="proof_pack_tenant_id"),
                    models.UniqueConstraint(fields=("tenant", "ref"), name="proof_pack_tenant_ref"),
                ],
            },
        ),
        tenant_table("proof_pack", app=f"SELECT, INSERT, UPDATE ({CHANGED})", definer_reads=True),
    ]
