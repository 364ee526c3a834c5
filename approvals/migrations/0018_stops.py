"""Emergency stops, what lifted them, and a proposal that is not to be carried out before a moment.

A stop and a claim take one lock of the tenant, the stop alone and claims together: a claim either
committed before the stop, or sees it. The new column is empty for every row there is, and a check
keeps it equal to the word of the action, which the hash covers.
"""

from __future__ import annotations

import uuid

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import tenant_table

LAW = """
CREATE FUNCTION emergency_stop_takes_the_lock() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(22283, hashtext(NEW.tenant_id::text));
  NEW.at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER emergency_stop_takes_the_lock BEFORE INSERT ON emergency_stop
  FOR EACH ROW EXECUTE FUNCTION emergency_stop_takes_the_lock();

CREATE FUNCTION emergency_stop_lift_is_now() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  NEW.at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER emergency_stop_lift_is_now BEFORE INSERT ON emergency_stop_lift
  FOR EACH ROW EXECUTE FUNCTION emergency_stop_lift_is_now();

-- The last line, for a worker that asks for no stop: what waits does not start under one. Past its
-- last moment it may be claimed, and ends without a request.
CREATE FUNCTION execution_obeys_stops() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(22283, hashtext(NEW.tenant_id::text));
  IF EXISTS (
    SELECT FROM emergency_stop s
      JOIN agente_aprovacao p ON p.tenant_id = s.tenant_id AND p.id = NEW.approval_id
     WHERE s.tenant_id = NEW.tenant_id
       AND (s.scope = 'empresa' OR (s.scope = 'agente' AND s.subject = p.agente)
            OR (s.scope = 'conector'
                AND s.subject = coalesce(p.proposta #>> '{target,system}', s.subject)))
       AND clock_timestamp() <=
           coalesce((to_jsonb(NEW) ->> 'resend_until')::timestamptz, p.executar_ate)
       AND NOT EXISTS (SELECT FROM emergency_stop_lift l
                        WHERE l.tenant_id = s.tenant_id AND l.stop_id = s.id)) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER execution_obeys_stops BEFORE UPDATE ON execution FOR EACH ROW
  WHEN (OLD.state = 'retida' AND NEW.state = 'em_envio') EXECUTE FUNCTION execution_obeys_stops();

ALTER TABLE agente_aprovacao ADD CONSTRAINT agente_aprovacao_executar_de CHECK (
  executar_de IS NOT DISTINCT FROM (proposta ->> 'executar_de')::timestamptz
  AND (executar_de IS NULL OR executar_de <= executar_ate));
"""

UNDO = """
ALTER TABLE agente_aprovacao DROP CONSTRAINT agente_aprovacao_executar_de;
DROP TRIGGER execution_obeys_stops ON execution;
DROP FUNCTION execution_obeys_stops();
DROP TRIGGER emergency_stop_lift_is_now ON emergency_stop_lift;
DROP FUNCTION emergency_stop_lift_is_now();
DROP TRIGGER emergency_stop_takes_the_lock ON emergency_stop;
DROP FUNCTION emergency_stop_takes_the_lock();
"""

TENANT = models.ForeignKey(
    db_index=False,
    on_delete=django.db.models.deletion.PROTECT,
    related_name="+",
    to="tenancy.tenant",
)
KEY = models.BigAutoField(primary_key=True, serialize=False)
SCOPES = [
    ("empresa", "a empresa inteira"),
    ("agente", "um agente"),
    ("conector", "um conector"),
]


class Migration(migrations.Migration):
    dependencies = [("approvals", "0017_tasks"), ("tenancy", "0001_initial")]

    operations = [
        migrations.AddField(
            "agenteaprovacao", "executar_de", models.DateTimeField(null=True)
        ),
        migrations.CreateModel(
            name="EmergencyStop",
            fields=[
                ("id", KEY.clone()),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("scope", models.CharField(choices=SCOPES, max_length=10)),
                ("subject", models.CharField(blank=True, default="", max_length=60)),
                ("reason", models.TextField()),
                ("pressed_by", models.CharField(max_length=80)),
                ("pressed_name", models.CharField(max_length=80)),
                ("at", models.DateTimeField(db_default=Now())),
                ("tenant", TENANT.clone()),
            ],
            options={"db_table": "emergency_stop"},
        ),
        migrations.CreateModel(
            name="EmergencyStopLift",
            fields=[
                ("id", KEY.clone()),
                ("reason", models.TextField()),
                ("lifted_by", models.CharField(max_length=80)),
                ("lifted_name", models.CharField(max_length=80)),
                ("at", models.DateTimeField(db_default=Now())),
                (
                    "stop",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="approvals.emergencystop",
                    ),
                ),
                ("tenant", TENANT.clone()),
            ],
            options={"db_table": "emergency_stop_lift"},
        ),
        migrations.AddConstraint(
            "emergencystop",
            models.UniqueConstraint(fields=["tenant", "id"], name="emergency_stop_tenant_id"),
        ),
        migrations.AddConstraint(
            "emergencystop",
            models.UniqueConstraint(fields=["tenant", "ref"], name="emergency_stop_tenant_ref"),
        ),
        migrations.AddConstraint(
            "emergencystop",
            models.CheckConstraint(
                condition=models.Q(("scope", "empresa"), ("subject", ""))
                | (models.Q(("scope__in", ["agente", "conector"])) & ~models.Q(("subject", ""))),
                name="emergency_stop_of_what",
            ),
        ),
        migrations.AddConstraint(
            "emergencystoplift",
            models.UniqueConstraint(
                fields=["tenant", "id"], name="emergency_stop_lift_tenant_id"
            ),
        ),
        migrations.AddConstraint(
            "emergencystoplift",
            models.UniqueConstraint(fields=["tenant", "stop"], name="emergency_stop_lift_once"),
        ),
        tenant_table("emergency_stop", reader=True),
        tenant_table(
            "emergency_stop_lift", reader=True, references=[("stop_id", "emergency_stop")]
        ),
        migrations.RunSQL(LAW, UNDO),
    ]
