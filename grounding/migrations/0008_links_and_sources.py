"""Runbooks of templates, and the folders and repositories that collections are kept from. Of a source
the runtime role changes how it ran and whether it runs, never what it reads."""

from __future__ import annotations

import uuid
from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import tenant_table

CHANGED = (
    "on_removal, every_minutes, files, revision, counts, code, ran_at, good_at, next_at, "
    "claim_token, lease_until"
)


def _reference(to: str, *, loose: bool = True) -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(
        db_index=False,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to=to,
        **({"db_constraint": False} if loose else {}),
    )


class Migration(migrations.Migration):
    dependencies = [("grounding", "0007_vector_partitions")]

    operations = [
        migrations.AddIndex(
            "upload", models.Index(fields=["tenant", "collection", "name"], name="upload_name")
        ),
        migrations.CreateModel(
            name="RunbookLink",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("template", models.BigIntegerField()),
                ("linked_by", models.CharField(max_length=80)),
                ("linked_by_name", models.CharField(max_length=80)),
                ("created_at", models.DateTimeField(db_default=Now())),
                ("document", _reference("grounding.document")),
                ("tenant", _reference("tenancy.tenant", loose=False)),
            ],
            options={
                "db_table": "runbook_link",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "template", "document"), name="runbook_link_template"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SyncSource",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[("pasta", "pasta"), ("git", "repositório Git")], max_length=6
                    ),
                ),
                ("path", models.CharField(max_length=500)),
                ("branch", models.CharField(blank=True, default="", max_length=120)),
                (
                    "on_removal",
                    models.CharField(
                        choices=[("propor", "propor a retirada"), ("retirar", "retirar da busca")],
                        max_length=8,
                    ),
                ),
                ("every_minutes", models.PositiveIntegerField()),
                ("files", models.JSONField(default=dict)),
                (
                    "revision",
                    models.CharField(blank=True, db_default="", default="", max_length=64),
                ),
                ("counts", models.JSONField(default=dict)),
                ("code", models.CharField(blank=True, db_default="", default="", max_length=40)),
                ("ran_at", models.DateTimeField(null=True)),
                ("good_at", models.DateTimeField(null=True)),
                ("next_at", models.DateTimeField(db_default=Now(), null=True)),
                ("claim_token", models.UUIDField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("made_by", models.CharField(max_length=80)),
                ("made_by_name", models.CharField(max_length=80)),
                ("created_at", models.DateTimeField(db_default=Now())),
                ("collection", _reference("grounding.collection")),
                ("tenant", _reference("tenancy.tenant", loose=False)),
            ],
            options={
                "db_table": "sync_source",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="sync_source_tenant_id"),
                    models.UniqueConstraint(
                        fields=("tenant", "ref"), name="sync_source_tenant_ref"
                    ),
                    models.UniqueConstraint(
                        fields=("tenant", "collection"), name="sync_source_collection"
                    ),
                ],
            },
        ),
        tenant_table(
            "runbook_link",
            app="SELECT, INSERT, DELETE",
            reader=True,
            references=[("document_id", "document")],
        ),
        tenant_table(
            "sync_source",
            app=f"SELECT, INSERT, DELETE, UPDATE ({CHANGED})",
            reader=True,
            definer_reads=True,
            references=[("collection_id", "collection")],
        ),
    ]
