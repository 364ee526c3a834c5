"""Where webhooks go, what has been told and to whom."""

from __future__ import annotations

import uuid

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import tenant_table

KINDS = [
    ("pendente", "espera por uma decisão"),
    ("alerta", "o prazo está acabando"),
    ("escalada", "passou também a outro papel"),
    ("decisao", "foi decidida ou expirou"),
    ("resultado", "resultado desconhecido ou divergente"),
    ("teste", "teste do destino"),
]
STATES = [
    ("pendente", "na fila"),
    ("enviado", "enviado"),
    ("falhou", "não saiu"),
    ("descartado", "não era mais preciso"),
]
FORMATS = [("padrao", "Standard Webhooks"), ("slack", "Slack"), ("teams", "Microsoft Teams")]
IMMUTABLE = """
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON notice_telling
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON notice_telling
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
"""


def tenant() -> models.ForeignKey:
    return models.ForeignKey(
        db_index=False,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to="tenancy.tenant",
    )


def approval(**values: bool) -> models.ForeignKey:
    return models.ForeignKey(
        db_constraint=False,
        db_index=False,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to="approvals.agenteaprovacao",
        **values,
    )


class Migration(migrations.Migration):
    initial = True
    dependencies = [("approvals", "0014_told"), ("tenancy", "0005_mail_notices")]

    operations = [
        migrations.CreateModel(
            name="Destination",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("name", models.CharField(max_length=80)),
                ("url", models.CharField(max_length=500)),
                ("format", models.CharField(choices=FORMATS, default="padrao", max_length=10)),
                ("active", models.BooleanField(default=True)),
                ("off_reason", models.CharField(blank=True, default="", max_length=30)),
                ("created_at", models.DateTimeField(db_default=Now())),
                ("created_by", models.CharField(max_length=200)),
                ("tenant", tenant()),
            ],
            options={
                "db_table": "notice_destination",
                "constraints": [
                    models.UniqueConstraint(
                        fields=["tenant", "id"], name="notice_destination_tenant_id"
                    ),
                    models.UniqueConstraint(
                        fields=["tenant", "ref"], name="notice_destination_tenant_ref"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Telling",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("kind", models.CharField(choices=KINDS, max_length=12)),
                ("about", models.CharField(blank=True, default="", max_length=20)),
                ("at", models.DateTimeField(db_default=Now())),
                ("approval", approval()),
                ("tenant", tenant()),
            ],
            options={
                "db_table": "notice_telling",
                "constraints": [
                    models.UniqueConstraint(
                        fields=["tenant", "id"], name="notice_telling_tenant_id"
                    ),
                    models.UniqueConstraint(
                        fields=["tenant", "approval", "kind", "about"], name="notice_telling_once"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("kind", models.CharField(choices=KINDS, max_length=12)),
                ("recipient", models.CharField(max_length=80)),
                (
                    "urgency",
                    models.CharField(
                        choices=[("agora", "na hora"), ("resumo", "no resumo")], max_length=8
                    ),
                ),
                ("state", models.CharField(choices=STATES, default="pendente", max_length=12)),
                ("outcome", models.CharField(blank=True, default="", max_length=40)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("created_at", models.DateTimeField(db_default=Now())),
                ("next_at", models.DateTimeField(db_default=Now())),
                ("settled_at", models.DateTimeField(null=True)),
                ("claim_token", models.UUIDField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("approval", approval(null=True)),
                ("tenant", tenant()),
            ],
            options={
                "db_table": "notice",
                "constraints": [
                    models.UniqueConstraint(fields=["tenant", "id"], name="notice_tenant_id"),
                    models.UniqueConstraint(
                        fields=["tenant", "approval", "kind", "recipient"], name="notice_once"
                    ),
                ],
                "indexes": [
                    models.Index(
                        condition=models.Q(state="pendente"), fields=["next_at"], name="notice_due"
                    ),
                    models.Index(fields=["tenant", "state", "id"], name="notice_by_state"),
                ],
            },
        ),
        tenant_table("notice_destination", app="SELECT, INSERT, UPDATE (active, off_reason)"),
        tenant_table(
            "notice_telling",
            definer_reads=True,
            references=[("approval_id", "agente_aprovacao")],
        ),
        tenant_table(
            "notice",
            app="SELECT, INSERT, UPDATE (state, outcome, attempts, next_at, settled_at, "
            "claim_token, lease_until)",
            definer_reads=True,
            references=[("approval_id", "agente_aprovacao")],
        ),
        migrations.RunSQL(IMMUTABLE, migrations.RunSQL.noop),
    ]
