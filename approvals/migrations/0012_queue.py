"""Indexes for a queue of any length, and the views people keep of it.

Under row level security an index on an expression of the content is not used: the target has a
generated column, which an older release need not know.
"""

from __future__ import annotations

import uuid

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.fields.json import KT
from django.db.models.functions import Now

from opspilot.tenancy.schema import tenant_table

WAITING = models.Q(estado="pendente")
NARROWED = ["papel_exigido", "risco", "alvo", "solicitante"]
INDEXES = [
    (
        "agenteaprovacao",
        models.Index(
            fields=["tenant", "expira_em", "urgencia", "id", *NARROWED],
            name="agente_aprovacao_fila",
            condition=WAITING,
        ),
    ),
    (
        "agenteaprovacao",
        models.Index(
            fields=["tenant", "urgencia", "expira_em", "id", *NARROWED],
            name="agente_aprovacao_por_risco",
            condition=WAITING,
        ),
    ),
    (
        "agenteaprovacao",
        models.Index(
            fields=["tenant", "papel_exigido", "expira_em", "urgencia", "id", *NARROWED[1:]],
            name="agente_aprovacao_por_papel",
            condition=WAITING,
        ),
    ),
    (
        "agenteaprovacao",
        models.Index(
            fields=["tenant", "decidida_em", "id"],
            name="agente_aprovacao_encerradas",
            condition=~WAITING,
        ),
    ),
    (
        "agenteaprovacao",
        models.Index(fields=["tenant", "solicitante", "id"], name="agente_aprovacao_de_quem"),
    ),
    (
        "agenteaprovacao",
        models.Index(fields=["tenant", "criada_em"], name="agente_aprovacao_criadas"),
    ),
    (
        "execution",
        models.Index(
            fields=["tenant", "state"],
            name="execution_attention",
            condition=models.Q(state__in=["desconhecida", "divergente", "bloqueada"]),
        ),
    ),
    (
        "decision",
        models.Index(fields=["tenant", "subject", "approval"], name="approval_decision_de_quem"),
    ),
    ("decision", models.Index(fields=["tenant", "decided_at"], name="approval_decision_quando")),
]


class Migration(migrations.Migration):
    dependencies = [("approvals", "0011_rollback"), ("tenancy", "0003_preferences")]

    operations = [
        migrations.AddField(
            "agenteaprovacao",
            "alvo",
            models.GeneratedField(
                db_persist=True,
                expression=KT("proposta__alias"),
                output_field=models.TextField(null=True),
            ),
        ),
        migrations.AddField(
            "agenteaprovacao",
            "urgencia",
            models.GeneratedField(
                db_persist=True,
                expression=models.Case(
                    models.When(risco="alto", then=0),
                    models.When(risco="medio", then=1),
                    default=2,
                ),
                output_field=models.SmallIntegerField(),
            ),
        ),
        *(migrations.AddIndex(model, index) for model, index in INDEXES),
        migrations.CreateModel(
            name="SavedView",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("subject", models.CharField(max_length=80)),
                ("name", models.CharField(max_length=60)),
                ("query", models.CharField(blank=True, max_length=400)),
                ("opens_first", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(db_default=Now())),
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
                "db_table": "saved_view",
                "constraints": [
                    models.UniqueConstraint(fields=["tenant", "id"], name="saved_view_tenant_id"),
                    models.UniqueConstraint(fields=["tenant", "ref"], name="saved_view_tenant_ref"),
                    models.UniqueConstraint(
                        fields=["tenant", "subject", "name"], name="saved_view_name"
                    ),
                    models.UniqueConstraint(
                        fields=["tenant", "subject"],
                        condition=models.Q(opens_first=True),
                        name="saved_view_one_first",
                    ),
                ],
            },
        ),
        tenant_table("saved_view", app="SELECT, INSERT, UPDATE (name, query, opens_first), DELETE"),
    ]
