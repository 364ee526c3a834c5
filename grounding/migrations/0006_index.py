"""Chunking policies, the state of a company's index, and what is repeated around a cut passage."""

from __future__ import annotations

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from opspilot.tenancy.schema import append_only, tenant_table

TENANT = {
    "db_index": False,
    "on_delete": django.db.models.deletion.PROTECT,
    "related_name": "+",
    "to": "tenancy.tenant",
}


class Migration(migrations.Migration):
    dependencies = [("grounding", "0005_quarantine"), ("audit", "0009_months_by_law")]

    operations = [
        migrations.AddField(
            "chunk", "lead", models.TextField(blank=True, db_default="", default="")
        ),
        migrations.AddField(
            "chunk", "tail", models.TextField(blank=True, db_default="", default="")
        ),
        migrations.CreateModel(
            name="ChunkingPolicy",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("number", models.IntegerField()),
                ("limit", models.IntegerField()),
                ("overlap", models.BooleanField()),
                ("created_by", models.CharField(max_length=80)),
                ("created_by_name", models.CharField(max_length=80)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "collection",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="grounding.collection",
                    ),
                ),
                ("tenant", models.ForeignKey(**TENANT)),
            ],
            options={
                "db_table": "chunking_policy",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "collection", "number"), name="chunking_policy_number"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("limit__range", (400, 4000)), ("number__gte", 1)),
                        name="chunking_policy_sane",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="KnowledgeIndex",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("space", models.CharField(max_length=200)),
                (
                    "target",
                    models.CharField(blank=True, db_default="", default="", max_length=200),
                ),
                (
                    "previous",
                    models.CharField(blank=True, db_default="", default="", max_length=200),
                ),
                ("done", models.IntegerField(db_default=0, default=0)),
                ("total", models.IntegerField(db_default=0, default=0)),
                ("fault", models.CharField(blank=True, db_default="", default="", max_length=40)),
                ("started_at", models.DateTimeField(null=True)),
                ("switched_at", models.DateTimeField(null=True)),
                (
                    "search",
                    models.CharField(
                        choices=[
                            ("exata", "exata"),
                            ("aproximada", "aproximada"),
                            ("desligada", "exata: a aproximada foi desligada"),
                        ],
                        db_default="exata",
                        default="exata",
                        max_length=12,
                    ),
                ),
                ("recall", models.FloatField(null=True)),
                ("recalled_at", models.DateTimeField(null=True)),
                ("health", models.JSONField(db_default={}, default=dict)),
                ("looked_at", models.DateTimeField(null=True)),
                (
                    "next_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("attempts", models.IntegerField(db_default=0, default=0)),
                ("claim_token", models.UUIDField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("tenant", models.ForeignKey(**TENANT)),
            ],
            options={
                "db_table": "knowledge_index",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant",), name="knowledge_index_one"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("target", models.F("space")), _negated=True),
                            models.Q(("space", ""), _negated=True),
                        ),
                        name="knowledge_index_sane",
                    ),
                ],
            },
        ),
        tenant_table("chunking_policy", reader=True, references=[("collection_id", "collection")]),
        migrations.RunSQL(
            append_only("chunking_policy"),
            "DROP TRIGGER append_only_truncate ON chunking_policy;"
            "DROP TRIGGER append_only ON chunking_policy",
        ),
        tenant_table("knowledge_index", app="SELECT, INSERT, UPDATE", definer_reads=True),
    ]
