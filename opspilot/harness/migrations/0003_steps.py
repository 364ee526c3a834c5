"""The steps of a run: only added to. Of an old step the arguments can be taken away, and nothing else."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import tenant_table

FORGETS = """
CREATE FUNCTION run_step_forgets() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  as_it_was run_step := OLD;
BEGIN
  as_it_was.arguments := '{}';
  IF NEW IS DISTINCT FROM as_it_was THEN
    RAISE EXCEPTION 'UPDATE on run_step refused: only the arguments of a step can be taken away'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER forgets BEFORE UPDATE ON run_step
  FOR EACH ROW EXECUTE FUNCTION run_step_forgets();
CREATE TRIGGER append_only BEFORE DELETE ON run_step
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON run_step
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
"""
STATES = [
    ("queued", "na fila"),
    ("running", "procurando"),
    ("answered", "respondida"),
    ("abstained", "sem base"),
    ("prepared", "preparada"),
    ("asks", "falta dizer algo"),
    ("handover", "com uma pessoa"),
    ("refused", "recusada"),
    ("review", "em revisão"),
    ("stopped", "parada"),
    ("command", "comando registrado"),
    ("failed", "não concluída"),
]
OUTCOMES = [("done", "feito"), ("refused", "recusado"), ("invalid", "não compreendido")]


class Migration(migrations.Migration):
    dependencies = [
        ("harness", "0002_law"),
        ("tenancy", "0005_mail_notices"),
        ("audit", "0002_trail"),  # whose append_only() it uses
    ]

    operations = [
        migrations.AddField(
            "run", "embedded", models.BooleanField(db_default=False, default=False)
        ),
        migrations.AddField("run", "steps_from", models.IntegerField(db_default=0, default=0)),
        migrations.AddField("run", "try_after", models.DateTimeField(null=True)),
        migrations.AddField(
            "run",
            "stop_by",
            models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
        migrations.AddField(
            "run",
            "held_by",
            models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
        migrations.AddField("run", "text_gone_at", models.DateTimeField(null=True)),
        migrations.AlterField(
            "run",
            "state",
            models.CharField(choices=STATES, default="queued", max_length=10),
        ),
        migrations.AddIndex(
            "run",
            models.Index(
                condition=models.Q(("state__in", ["handover", "review"])),
                fields=["tenant", "-id"],
                name="run_with_people",
            ),
        ),
        migrations.CreateModel(
            name="RunStep",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("number", models.IntegerField()),
                ("tool", models.CharField(blank=True, max_length=20)),
                ("arguments", models.JSONField(default=dict)),
                ("outcome", models.CharField(choices=OUTCOMES, max_length=10)),
                ("code", models.CharField(blank=True, default="", max_length=40)),
                ("coverage", models.CharField(blank=True, default="", max_length=10)),
                ("receipt", models.UUIDField(null=True)),
                ("duration_ms", models.IntegerField()),
                ("planner", models.CharField(max_length=80)),
                ("instruction_hash", models.CharField(max_length=64)),
                ("model_asked", models.CharField(blank=True, default="", max_length=80)),
                ("model_served", models.CharField(blank=True, default="", max_length=80)),
                ("tokens_in", models.IntegerField(null=True)),
                ("tokens_out", models.IntegerField(null=True)),
                ("cost", models.DecimalField(decimal_places=6, max_digits=18, null=True)),
                ("created_at", models.DateTimeField(db_default=Now())),
                (
                    "run",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="harness.run",
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
                "db_table": "run_step",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "run", "number"), name="run_step_number"
                    )
                ],
            },
        ),
        tenant_table(
            "run_step",
            app="SELECT, INSERT, UPDATE (arguments)",
            references=[("run_id", "run")],
        ),
        migrations.RunSQL(FORGETS, "DROP FUNCTION run_step_forgets() CASCADE"),
    ]
