"""Who may read a collection, and a receipt of each consult. Both only grow.

Every collection that is here already is read by all five roles, as it was, and by no agent.
"""

from __future__ import annotations

import uuid

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import append_only, tenant_table

ROLES = ("admin", "aprovador", "auditor", "conformidade", "operador")

# The owner, too, sees no row of a table whose policy is forced: it is lifted for this statement.
BASELINE = f"""
ALTER TABLE collection NO FORCE ROW LEVEL SECURITY;
ALTER TABLE collection_reader NO FORCE ROW LEVEL SECURITY;
INSERT INTO collection_reader
       (tenant_id, number, collection_id, subject, granted, reason, by, by_name)
SELECT c.tenant_id, row_number() OVER (PARTITION BY c.tenant_id ORDER BY c.id, r.name), c.id,
       'papel:' || r.name, true, 'lida por todos antes de haver esta regra', 'sistema', 'sistema'
  FROM collection c CROSS JOIN unnest(ARRAY{list(ROLES)}) AS r (name);
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE collection_reader FORCE ROW LEVEL SECURITY;
ALTER TABLE collection FORCE ROW LEVEL SECURITY;
"""  # noqa: S608 - the roles are the list above


def _tenant() -> models.ForeignKey:
    return models.ForeignKey(
        db_index=False,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to="tenancy.tenant",
    )


class Migration(migrations.Migration):
    dependencies = [("grounding", "0003_document_life"), ("audit", "0002_trail")]

    operations = [
        migrations.CreateModel(
            name="ReaderEntry",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("number", models.IntegerField()),
                ("subject", models.CharField(max_length=100)),
                ("granted", models.BooleanField()),
                ("reason", models.CharField(max_length=500)),
                ("by", models.CharField(max_length=80)),
                ("by_name", models.CharField(max_length=80)),
                ("at", models.DateTimeField(db_default=Now())),
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
                ("tenant", _tenant()),
            ],
            options={
                "db_table": "collection_reader",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "id"), name="collection_reader_tenant_id"
                    ),
                    models.UniqueConstraint(
                        fields=("tenant", "number"), name="collection_reader_number"
                    ),
                ],
                "indexes": [
                    models.Index(
                        fields=["tenant", "collection", "subject", "-number"],
                        name="collection_reader_of",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Receipt",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("run", models.UUIDField(null=True)),
                ("asker", models.CharField(max_length=100)),
                ("asker_name", models.CharField(max_length=120)),
                ("query_hmac", models.CharField(max_length=64)),
                ("grants", models.IntegerField()),
                ("collections", models.JSONField()),
                ("not_granted", models.IntegerField()),
                ("filters", models.JSONField()),
                ("top_k", models.IntegerField()),
                ("passages", models.JSONField()),
                ("space", models.CharField(max_length=200)),
                ("chunkers", models.JSONField()),
                ("calibration", models.CharField(max_length=40)),
                ("coverage", models.CharField(max_length=10)),
                ("probability", models.FloatField()),
                ("reasons", models.JSONField()),
                ("latency_ms", models.JSONField()),
                ("request_id", models.CharField(max_length=64)),
                ("at", models.DateTimeField(db_default=Now())),
                ("tenant", _tenant()),
            ],
            options={
                "db_table": "consult_receipt",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "id"), name="consult_receipt_tenant_id"
                    ),
                    models.UniqueConstraint(
                        fields=("tenant", "ref"), name="consult_receipt_tenant_ref"
                    ),
                ],
                "indexes": [models.Index(fields=["tenant", "run"], name="consult_receipt_of_run")],
            },
        ),
        tenant_table(
            "collection_reader", reader=True, references=[("collection_id", "collection")]
        ),
        tenant_table("consult_receipt", reader=True),
        migrations.RunSQL(
            append_only("collection_reader", "consult_receipt"), migrations.RunSQL.noop
        ),
        migrations.RunSQL(BASELINE, migrations.RunSQL.noop),
    ]
