"""The guard of the trail: what it masked, samples read by people, and a company's own words."""

from __future__ import annotations

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from opspilot.tenancy.schema import append_only, tenant_table

INSERT_ONLY = ("masking_count", "trail_review", "trail_review_finding", "trail_review_end")
# The company's own words are masked by the database: every writer has them at once, and a word
# that was added holds from the commit on. Named so that it fires before `linha_hash`.
# `\W` in front and behind keeps a word inside another one as it is. A term holds a letter and no
# quote or backslash (the services see to it), so JSON stays JSON.
TERMS = r"""
CREATE FUNCTION agente_acao_termos() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  shape text;
  field text;
  before text;
  told jsonb;
BEGIN
  SELECT '(?<!\w)(?:' || string_agg(regexp_replace(term, '([.^$*+?()[{\\|])', '\\\1', 'g'), '|'
                                    ORDER BY length(term) DESC) || ')(?!\w)'
    INTO shape FROM guard_term WHERE tenant_id = NEW.tenant_id AND ended_at IS NULL;
  IF shape IS NULL THEN
    RETURN NEW;
  END IF;
  told := jsonb_build_object(
    'entrada_resumo', NEW.entrada_resumo, 'saida_resumo', NEW.saida_resumo, 'erro', NEW.erro,
    'reversao_ref', NEW.reversao_ref, 'fontes', NEW.fontes::text);
  FOR field, before IN SELECT key, value FROM jsonb_each_text(told) LOOP
    IF before ~* shape THEN
      INSERT INTO masking_count (tenant_id, trail_row, field, kind, count)
      VALUES (NEW.tenant_id, NEW.id, field, 'termo', regexp_count(before, shape, 1, 'i'));
      told := told || jsonb_build_object(field, regexp_replace(before, shape, '[termo]', 'gi'));
    END IF;
  END LOOP;
  NEW.entrada_resumo := told ->> 'entrada_resumo';
  NEW.saida_resumo := told ->> 'saida_resumo';
  NEW.erro := told ->> 'erro';
  NEW.reversao_ref := told ->> 'reversao_ref';
  NEW.fontes := (told ->> 'fontes')::jsonb;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_terms BEFORE INSERT ON agente_acao
  FOR EACH ROW EXECUTE FUNCTION agente_acao_termos();
"""
NO_TERMS = "DROP FUNCTION agente_acao_termos() CASCADE"


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0007_months"),
        ("tenancy", "0005_mail_notices"),
    ]

    operations = [
        migrations.CreateModel(
            name="TrailReview",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("seed", models.BigIntegerField()),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField()),
                (
                    "rows",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), size=None
                    ),
                ),
                ("by", models.CharField(max_length=80)),
                ("by_name", models.CharField(max_length=200)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
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
                "db_table": "trail_review",
            },
        ),
        migrations.CreateModel(
            name="GuardTerm",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("term", models.CharField(max_length=80)),
                ("by", models.CharField(max_length=80)),
                ("by_name", models.CharField(max_length=200)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("ended_at", models.DateTimeField(null=True)),
                ("ended_by", models.CharField(blank=True, default="", max_length=80)),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.tenant",
                    ),
                ),
                (
                    "review",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="audit.trailreview",
                    ),
                ),
            ],
            options={
                "db_table": "guard_term",
            },
        ),
        migrations.CreateModel(
            name="TrailReviewEnd",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("looked", models.PositiveSmallIntegerField()),
                ("findings", models.PositiveSmallIntegerField()),
                ("by", models.CharField(max_length=80)),
                ("by_name", models.CharField(max_length=200)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "review",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="audit.trailreview",
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
                "db_table": "trail_review_end",
            },
        ),
        migrations.CreateModel(
            name="TrailReviewFinding",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("trail_row", models.BigIntegerField()),
                ("kind", models.CharField(max_length=12)),
                (
                    "review",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="audit.trailreview",
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
                "db_table": "trail_review_finding",
            },
        ),
        migrations.CreateModel(
            name="MaskingCount",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("trail_row", models.BigIntegerField()),
                ("field", models.CharField(max_length=20)),
                ("kind", models.CharField(max_length=12)),
                ("count", models.PositiveSmallIntegerField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
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
                "db_table": "masking_count",
                "indexes": [models.Index(fields=["tenant", "at"], name="masking_count_when")],
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="masking_count_tenant_id")
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="trailreview",
            constraint=models.UniqueConstraint(
                fields=("tenant", "id"), name="trail_review_tenant_id"
            ),
        ),
        migrations.AddConstraint(
            model_name="trailreview",
            constraint=models.UniqueConstraint(
                fields=("tenant", "ref"), name="trail_review_tenant_ref"
            ),
        ),
        migrations.AddConstraint(
            model_name="guardterm",
            constraint=models.UniqueConstraint(
                fields=("tenant", "id"), name="guard_term_tenant_id"
            ),
        ),
        migrations.AddConstraint(
            model_name="guardterm",
            constraint=models.UniqueConstraint(
                fields=("tenant", "ref"), name="guard_term_tenant_ref"
            ),
        ),
        migrations.AddConstraint(
            model_name="guardterm",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at", None)),
                fields=("tenant", "term"),
                name="guard_term_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="trailreviewend",
            constraint=models.UniqueConstraint(
                fields=("tenant", "id"), name="trail_review_end_tenant_id"
            ),
        ),
        migrations.AddConstraint(
            model_name="trailreviewend",
            constraint=models.UniqueConstraint(
                fields=("tenant", "review"), name="trail_review_end_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="trailreviewfinding",
            constraint=models.UniqueConstraint(
                fields=("tenant", "id"), name="trail_review_finding_tenant_id"
            ),
        ),
        migrations.AddConstraint(
            model_name="trailreviewfinding",
            constraint=models.UniqueConstraint(
                fields=("tenant", "review", "trail_row"), name="trail_review_finding_once"
            ),
        ),
        tenant_table("masking_count", reader=True),
        tenant_table("trail_review", reader=True),
        tenant_table(
            "trail_review_finding", reader=True, references=[("review_id", "trail_review")]
        ),
        tenant_table("trail_review_end", reader=True, references=[("review_id", "trail_review")]),
        tenant_table(
            "guard_term",
            app="SELECT, INSERT, UPDATE (ended_at, ended_by)",
            references=[("review_id", "trail_review")],
        ),
        migrations.RunSQL(append_only(*INSERT_ONLY), migrations.RunSQL.noop),
        migrations.RunSQL(TERMS, NO_TERMS),
    ]
