"""How long the trail is kept, what is held, and the ledger of what went: rows only ever added."""

from __future__ import annotations

import uuid

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import append_only, tenant_table

EVENTS = (
    "trail_retention",
    "trail_retention_activation",
    "legal_hold",
    "legal_hold_lift",
    "trail_expiry",
)
SECOND_ADMIN = """
CREATE FUNCTION retention_has_two_admins() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM trail_retention
              WHERE tenant_id = NEW.tenant_id AND id = NEW.retention_id AND author = NEW.admin) THEN
    RAISE EXCEPTION 'who wrote a retention does not activate it' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER two_admins BEFORE INSERT ON trail_retention_activation
  FOR EACH ROW EXECUTE FUNCTION retention_has_two_admins()
"""
NO_SECOND_ADMIN = """
DROP TRIGGER two_admins ON trail_retention_activation;
DROP FUNCTION retention_has_two_admins()
"""


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0006_seal"),
        ("tenancy", "0005_mail_notices"),
    ]

    operations = [
        migrations.CreateModel(
            name="LegalHold",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("entity_type", models.CharField(blank=True, default="", max_length=20)),
                ("entity_ref", models.CharField(blank=True, default="", max_length=80)),
                ("entity_title", models.CharField(blank=True, default="", max_length=80)),
                ("reason", models.CharField(max_length=1000)),
                ("author", models.CharField(max_length=80)),
                ("author_name", models.CharField(max_length=80)),
                ("since", models.DateTimeField(db_default=Now())),
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
                "db_table": "legal_hold",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="legal_hold_tenant_id"),
                    models.UniqueConstraint(fields=("tenant", "ref"), name="legal_hold_tenant_ref"),
                ],
            },
        ),
        migrations.CreateModel(
            name="LegalHoldLift",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("reason", models.CharField(max_length=1000)),
                ("author", models.CharField(max_length=80)),
                ("author_name", models.CharField(max_length=80)),
                ("lifted_at", models.DateTimeField(db_default=Now())),
                (
                    "hold",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="audit.legalhold",
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
                "db_table": "legal_hold_lift",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "hold"), name="legal_hold_lift_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="TrailRetention",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("months", models.PositiveSmallIntegerField()),
                ("basis", models.CharField(max_length=500)),
                ("reason", models.CharField(max_length=1000)),
                ("author", models.CharField(max_length=80)),
                ("author_name", models.CharField(max_length=80)),
                ("created_at", models.DateTimeField(db_default=Now())),
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
                "db_table": "trail_retention",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "id"), name="trail_retention_tenant_id"
                    ),
                    models.UniqueConstraint(
                        fields=("tenant", "ref"), name="trail_retention_tenant_ref"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("months__gte", 1), ("months__lte", 600)),
                        name="trail_retention_months",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TrailExpiry",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("month", models.DateField()),
                ("from_at", models.DateTimeField()),
                ("until_at", models.DateTimeField()),
                ("rows", models.BigIntegerField()),
                ("first_row", models.BigIntegerField()),
                ("last_row", models.BigIntegerField()),
                ("root", models.CharField(max_length=64)),
                ("basis", models.CharField(max_length=500)),
                ("author", models.CharField(max_length=80)),
                ("archive", models.CharField(max_length=200)),
                ("archive_sha256", models.CharField(max_length=64)),
                ("trail_row", models.BigIntegerField()),
                ("statement", models.JSONField()),
                ("key", models.CharField(max_length=64)),
                ("signature", models.CharField(max_length=128)),
                ("recorded_at", models.DateTimeField(db_default=Now())),
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
                    "retention",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="audit.trailretention",
                    ),
                ),
            ],
            options={
                "db_table": "trail_expiry",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "month"), name="trail_expiry_once"),
                    models.CheckConstraint(
                        condition=models.Q(("rows__gt", 0), ("until_at__gt", models.F("from_at"))),
                        name="trail_expiry_range",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TrailRetentionActivation",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("admin", models.CharField(max_length=80)),
                ("admin_name", models.CharField(max_length=80)),
                ("activated_at", models.DateTimeField(db_default=Now())),
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
                "db_table": "trail_retention_activation",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "retention"), name="trail_retention_activation_once"
                    ),
                ],
            },
        ),
        tenant_table("trail_retention", definer_reads=True, reader=True),
        tenant_table(
            "trail_retention_activation",
            definer_reads=True,
            reader=True,
            references=[("retention_id", "trail_retention")],
        ),
        tenant_table("legal_hold", definer_reads=True, reader=True),
        tenant_table(
            "legal_hold_lift",
            definer_reads=True,
            reader=True,
            references=[("hold_id", "legal_hold")],
        ),
        tenant_table(
            "trail_expiry",
            definer_reads=True,
            reader=True,
            references=[("retention_id", "trail_retention")],
        ),
        migrations.RunSQL(append_only(*EVENTS), migrations.RunSQL.noop),
        migrations.RunSQL(SECOND_ADMIN, NO_SECOND_ADMIN),
    ]
