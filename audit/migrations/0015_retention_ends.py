"""How a rule of retention that waits ends without being in force: its author takes it back, or another
admin refuses it. Either, or the activation, and only once."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import append_only, tenant_table

# The lock lets an end and an activation of the same rule see each other, whoever comes second.
ONE_END = """
CREATE FUNCTION retention_ends_once() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('trail_retention', NEW.retention_id));
  IF EXISTS (SELECT FROM trail_retention_activation
              WHERE tenant_id = NEW.tenant_id AND retention_id = NEW.retention_id)
     OR EXISTS (SELECT FROM trail_retention_end
                 WHERE tenant_id = NEW.tenant_id AND retention_id = NEW.retention_id) THEN
    RAISE EXCEPTION 'this retention is in force already, or has ended' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER ends_once BEFORE INSERT ON trail_retention_activation
  FOR EACH ROW EXECUTE FUNCTION retention_ends_once();
CREATE TRIGGER ends_once BEFORE INSERT ON trail_retention_end
  FOR EACH ROW EXECUTE FUNCTION retention_ends_once();
CREATE FUNCTION retention_end_is_whose() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF (NEW.kind = 'retirada') <> EXISTS (SELECT FROM trail_retention WHERE
        tenant_id = NEW.tenant_id AND id = NEW.retention_id AND author = NEW.admin) THEN
    RAISE EXCEPTION 'who wrote a retention takes it back, another admin refuses it'
      USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER is_whose BEFORE INSERT ON trail_retention_end
  FOR EACH ROW EXECUTE FUNCTION retention_end_is_whose()
"""
NO_END = """
DROP TRIGGER ends_once ON trail_retention_activation;
DROP TRIGGER ends_once ON trail_retention_end;
DROP TRIGGER is_whose ON trail_retention_end;
DROP FUNCTION retention_ends_once();
DROP FUNCTION retention_end_is_whose()
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0014_forgeries"), ("tenancy", "0005_mail_notices")]

    operations = [
        migrations.CreateModel(
            name="TrailRetentionEnd",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[("retirada", "retirada"), ("recusada", "recusada")], max_length=10
                    ),
                ),
                ("reason", models.CharField(max_length=1000)),
                ("admin", models.CharField(max_length=80)),
                ("admin_name", models.CharField(max_length=80)),
                ("ended_at", models.DateTimeField(db_default=Now())),
                (
                    "retention",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="audit.trailretention",
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
                "db_table": "trail_retention_end",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "retention"), name="trail_retention_end_once"
                    )
                ],
            },
        ),
        tenant_table(
            "trail_retention_end",
            reader=True,
            references=[("retention_id", "trail_retention")],
        ),
        migrations.RunSQL(append_only("trail_retention_end"), migrations.RunSQL.noop),
        migrations.RunSQL(ONE_END, NO_END),
    ]
