"""The laboratory's questions, and the fusion an admin has chosen."""

from __future__ import annotations

import uuid

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
NOW = django.db.models.functions.datetime.Now()
STATES = [
    ("asked", "histórico"),
    ("waiting", "a rotular"),
    ("test", "pergunta de teste"),
    ("dropped", "descartada"),
]
FUSIONS = [("z100", "soma de z-scores"), ("rrf60", "posições recíprocas (RRF)")]


class Migration(migrations.Migration):
    dependencies = [("grounding", "0009_search_indexes")]

    operations = [
        migrations.CreateModel(
            name="LabQuestion",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("text", models.CharField(max_length=2_000)),
                ("language", models.CharField(blank=True, max_length=2)),
                ("state", models.CharField(choices=STATES, max_length=10)),
                ("expected", models.JSONField(default=list)),
                ("run", models.UUIDField(null=True)),
                ("note", models.CharField(blank=True, max_length=500)),
                ("by", models.CharField(max_length=80)),
                ("by_name", models.CharField(max_length=80)),
                ("at", models.DateTimeField(db_default=NOW)),
                ("tenant", models.ForeignKey(**TENANT)),
            ],
            options={
                "db_table": "lab_question",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="lab_question_tenant_id"),
                    models.UniqueConstraint(
                        fields=("tenant", "ref"), name="lab_question_tenant_ref"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("run__isnull", False)),
                        fields=("tenant", "run"),
                        name="lab_question_one_a_run",
                    ),
                ],
                "indexes": [
                    models.Index(fields=["tenant", "state", "-at"], name="lab_question_by_state")
                ],
            },
        ),
        migrations.CreateModel(
            name="FusionChoice",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("number", models.IntegerField()),
                ("fusion", models.CharField(choices=FUSIONS, max_length=10)),
                ("figures", models.JSONField()),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("by", models.CharField(max_length=80)),
                ("by_name", models.CharField(max_length=80)),
                ("at", models.DateTimeField(db_default=NOW)),
                ("tenant", models.ForeignKey(**TENANT)),
            ],
            options={
                "db_table": "fusion_choice",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "number"), name="fusion_choice_number"
                    )
                ],
            },
        ),
        # A labelled question is corrected; what was only asked goes when newer ones come.
        tenant_table("lab_question", app="SELECT, INSERT, UPDATE, DELETE"),
        tenant_table("fusion_choice"),
        migrations.RunSQL(
            append_only("fusion_choice"),
            "DROP TRIGGER append_only_truncate ON fusion_choice;"
            "DROP TRIGGER append_only ON fusion_choice",
        ),
    ]
