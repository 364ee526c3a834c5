"""Finds proposals about the same target by an index, and keeps what that target has open.

The column is generated: an older release keeps writing proposals without knowing it.
"""

from __future__ import annotations

import django.db.models.deletion
import django.db.models.fields.json
from django.db import migrations, models
from django.db.models.functions import Cast, MD5, Now

from opspilot.tenancy.schema import tenant_table


class Migration(migrations.Migration):
    dependencies = [("approvals", "0005_agents"), ("tenancy", "0002_law")]

    operations = [
        migrations.AddField(
            "agenteaprovacao",
            "destino_hash",
            models.GeneratedField(
                db_persist=True,
                expression=MD5(
                    Cast(
                        django.db.models.fields.json.KeyTransform("target", "proposta"),
                        models.TextField(),
                    )
                ),
                output_field=models.CharField(max_length=32, null=True),
            ),
        ),
        migrations.AddIndex(
            "agenteaprovacao",
            models.Index(
                fields=["tenant", "acao", "destino_hash", "id"],
                name="agente_aprovacao_decididas",
                condition=models.Q(estado__in=["aprovada", "recusada"]),
            ),
        ),
        migrations.AddIndex(
            "agenteaprovacao",
            models.Index(
                fields=["tenant", "acao", "destino_hash", "id"],
                name="agente_aprovacao_mesmo_destino",
                condition=models.Q(estado="pendente"),
            ),
        ),
        migrations.CreateModel(
            name="OpenIssueList",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("destino_hash", models.CharField(max_length=32)),
                ("project", models.BigIntegerField()),
                ("wanted_until", models.DateTimeField()),
                ("issues", models.JSONField(default=list)),
                ("complete", models.BooleanField(default=False)),
                ("outcome", models.CharField(blank=True, default="", max_length=30)),
                ("looked_at", models.DateTimeField(null=True)),
                ("tried_at", models.DateTimeField(null=True)),
                ("next_at", models.DateTimeField(db_default=Now())),
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
            options={"db_table": "open_issue_list"},
        ),
        migrations.AddConstraint(
            "openissuelist",
            models.UniqueConstraint(fields=("tenant", "id"), name="open_issue_list_tenant_id"),
        ),
        migrations.AddConstraint(
            "openissuelist",
            models.UniqueConstraint(
                fields=("tenant", "destino_hash"), name="open_issue_list_target"
            ),
        ),
        tenant_table("open_issue_list", app="SELECT, INSERT, UPDATE", definer_reads=True),
    ]
