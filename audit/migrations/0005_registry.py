"""The registry of entities learns to join, to part and to forget; each by an event that says who
decided it and why."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import append_only, tenant_table

# What a row of the registry may lose, and nothing it may gain.
ERASURE = """
ALTER TABLE entity ADD CONSTRAINT entity_identity
  CHECK ((document_hash IS NULL) = (title = ''));
GRANT UPDATE (title, document_hash) ON entity TO opspilot_app;
CREATE FUNCTION entity_erasure() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.title <> '' OR NEW.document_hash IS NOT NULL
     OR to_jsonb(NEW) - '{title,document_hash}'::text[]
        IS DISTINCT FROM to_jsonb(OLD) - '{title,document_hash}'::text[]
     OR NOT EXISTS (SELECT FROM entity_event e
                     WHERE e.tenant_id = OLD.tenant_id AND e.entity_id = OLD.id
                       AND e.kind = 'apagada') THEN
    RAISE EXCEPTION 'an entity only loses its identity, after the event that says who and why'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER entity_erasure BEFORE UPDATE ON entity
  FOR EACH ROW EXECUTE FUNCTION entity_erasure()
"""

UNDO = """
DROP TRIGGER entity_erasure ON entity;
DROP FUNCTION entity_erasure();
REVOKE UPDATE (title, document_hash) ON entity FROM opspilot_app;
ALTER TABLE entity DROP CONSTRAINT entity_identity
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0004_traces")]

    operations = [
        migrations.AlterField(
            model_name="entity",
            name="document_hash",
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.CreateModel(
            name="EntityEvent",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("unida", "unida"),
                            ("separada", "separada"),
                            ("apagada", "apagada"),
                        ],
                        max_length=10,
                    ),
                ),
                ("reason", models.TextField()),
                ("by", models.CharField(max_length=80)),
                ("by_name", models.CharField(max_length=80)),
                ("at", models.DateTimeField(db_default=Now())),
                (
                    "entity",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="audit.entity",
                    ),
                ),
                (
                    "into",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="audit.entity",
                    ),
                ),
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
                "db_table": "entity_event",
                "indexes": [
                    models.Index(fields=["tenant", "entity", "id"], name="entity_event_entity"),
                    models.Index(fields=["tenant", "into"], name="entity_event_into"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("into__isnull", False), ("kind", "unida")),
                            models.Q(("into__isnull", False), ("kind", "separada")),
                            models.Q(("into__isnull", True), ("kind", "apagada")),
                            _connector="OR",
                        ),
                        name="entity_event_into_whom",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("into", models.F("entity")), _negated=True),
                            ("into__isnull", True),
                            _connector="OR",
                        ),
                        name="entity_event_not_itself",
                    ),
                ],
            },
        ),
        tenant_table(
            "entity_event",
            reader=True,
            references=[("entity_id", "entity"), ("into_id", "entity")],
        ),
        migrations.RunSQL(ERASURE, UNDO),
        migrations.RunSQL(append_only("entity_event"), migrations.RunSQL.noop),
    ]
