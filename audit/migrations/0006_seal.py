"""The seal of the trail: windows, keys, the worker's watch and its checks; the law of these tables."""

from __future__ import annotations

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from opspilot.tenancy.schema import DEFINER, append_only, definer_function, tenant_table

INSERT_ONLY = ("trail_seal", "trail_key", "trail_verification")
TENANTS_READ = f"""
CREATE POLICY definer ON tenant FOR SELECT TO {DEFINER} USING (true);
GRANT SELECT (id) ON tenant TO {DEFINER};
"""
TENANTS_UNREAD = f"""
DROP POLICY definer ON tenant;
REVOKE SELECT (id) ON tenant FROM {DEFINER};
"""
# Who checks the whole trail must not miss a company, and no row of it is seen before its turn.
TRAIL_TENANTS = """CREATE FUNCTION trail_tenants() RETURNS TABLE (tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT t.id FROM tenant t ORDER BY t.id
$$"""


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0005_registry"),
        ("tenancy", "0005_mail_notices"),
    ]

    operations = [
        migrations.CreateModel(
            name="TrailKey",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("fingerprint", models.CharField(max_length=64)),
                ("public_key", models.CharField(max_length=64)),
                (
                    "since",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "endorsed_by",
                    models.CharField(blank=True, db_default="", default="", max_length=64),
                ),
                (
                    "endorsement",
                    models.CharField(blank=True, db_default="", default="", max_length=128),
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
                "db_table": "trail_key",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="trail_key_tenant_id"),
                    models.UniqueConstraint(
                        fields=("tenant", "fingerprint"), name="trail_key_once"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TrailSeal",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("number", models.IntegerField()),
                ("from_at", models.DateTimeField()),
                ("until_at", models.DateTimeField()),
                ("rows", models.IntegerField()),
                ("first_row", models.BigIntegerField()),
                ("last_row", models.BigIntegerField()),
                ("root", models.CharField(max_length=64)),
                ("previous", models.CharField(max_length=64)),
                ("sealed_at", models.DateTimeField()),
                ("hash", models.CharField(max_length=64)),
                ("key", models.CharField(max_length=64)),
                ("signature", models.CharField(max_length=128)),
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
                "db_table": "trail_seal",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="trail_seal_tenant_id"),
                    models.UniqueConstraint(fields=("tenant", "number"), name="trail_seal_number"),
                ],
            },
        ),
        migrations.CreateModel(
            name="TrailVerification",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("from_at", models.DateTimeField()),
                ("until_at", models.DateTimeField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("windows", models.IntegerField()),
                ("rows", models.IntegerField()),
                ("good", models.BooleanField()),
                ("first_bad", models.JSONField(db_default={}, default=dict)),
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
                "db_table": "trail_verification",
                "indexes": [
                    models.Index(fields=["tenant", "-id"], name="trail_verification_newest")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "id"), name="trail_verification_tenant_id"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TrailWatch",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "fault",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("sem_chave", "No Key"),
                            ("chave_ilegivel", "Bad Key"),
                            ("gravacao_aberta", "Open Writer"),
                        ],
                        db_default="",
                        default="",
                        max_length=20,
                    ),
                ),
                ("looked_at", models.DateTimeField(null=True)),
                (
                    "next_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("claim_token", models.UUIDField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
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
                "db_table": "trail_watch",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="trail_watch_tenant_id"),
                    models.UniqueConstraint(fields=("tenant",), name="trail_watch_once"),
                ],
            },
        ),
        tenant_table("trail_key", reader=True),
        tenant_table("trail_seal", reader=True),
        tenant_table("trail_verification", reader=True),
        tenant_table("trail_watch", app="SELECT, INSERT, UPDATE", definer_reads=True),
        migrations.RunSQL(append_only(*INSERT_ONLY), migrations.RunSQL.noop),
        migrations.RunSQL(TENANTS_READ, TENANTS_UNREAD),
        definer_function(TRAIL_TENANTS, name="trail_tenants()", execute="opspilot_app"),
    ]
