"""Delegation for an absence, the access review, and whose power a vote used.

The new columns have defaults in the database: an older release keeps writing decisions.
"""

from __future__ import annotations

import datetime
import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import tenant_table

ROLES = [
    ("operador", "operador"),
    ("aprovador", "aprovador"),
    ("auditor", "auditor"),
    ("conformidade", "conformidade"),
    ("admin", "admin"),
]

# What a delegation may lend is read from the giver's own row: a power that was lent to them is not
# theirs to lend.
BOUNDED = """
ALTER TABLE approval_delegation ADD CONSTRAINT approval_delegation_roles
  CHECK (cardinality(roles) > 0 AND roles <@ ARRAY['aprovador', 'conformidade', 'admin']::varchar[]);
CREATE FUNCTION delegation_is_bounded() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  NEW.created_at := clock_timestamp();
  NEW.revoked_at := NULL;
  NEW.revoked_by := '';
  IF NEW.ends_at <= NEW.created_at THEN
    RAISE EXCEPTION 'the delegation is over already' USING ERRCODE = 'OP001';
  END IF;
  IF NOT EXISTS (
    SELECT FROM membership m JOIN console_user u ON u.id = m.user_id
     WHERE m.tenant_id = NEW.tenant_id AND 'usuario:' || u.id = NEW.giver
       AND u.is_active AND NEW.roles <@ m.roles) THEN
    RAISE EXCEPTION 'nobody lends what is not theirs' USING ERRCODE = 'OP001';
  END IF;
  IF NOT EXISTS (
    SELECT FROM membership m JOIN console_user u ON u.id = m.user_id
     WHERE m.tenant_id = NEW.tenant_id AND 'usuario:' || u.id = NEW.receiver
       AND u.is_active AND cardinality(m.roles) > 0 AND NOT 'auditor' = ANY (m.roles)) THEN
    RAISE EXCEPTION 'nobody there to lend it to' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER bounded BEFORE INSERT ON approval_delegation
  FOR EACH ROW EXECUTE FUNCTION delegation_is_bounded();

CREATE FUNCTION delegation_ends_once() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF OLD.revoked_at IS NOT NULL OR OLD.ends_at <= clock_timestamp() THEN
    RAISE EXCEPTION 'the delegation has ended' USING ERRCODE = 'OP001';
  END IF;
  NEW.revoked_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER ends_once BEFORE UPDATE ON approval_delegation
  FOR EACH ROW EXECUTE FUNCTION delegation_ends_once();
CREATE TRIGGER append_only BEFORE DELETE ON approval_delegation
  FOR EACH ROW EXECUTE FUNCTION append_only();
"""

# Runs after `decide`, in the alphabet and so in time: that trigger holds the proposal's lock, so
# the votes read here are all there are. A power counts once, whoever uses it.
AUTHORITY = """
CREATE FUNCTION decision_has_authority() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  requester text;
  owner text;
  power text := coalesce(nullif(NEW.on_behalf_of, ''), NEW.subject);
BEGIN
  IF NEW.verdict NOT IN ('aprovar', 'recusar', 'devolver') THEN
    IF NEW.on_behalf_of <> '' THEN
      RAISE EXCEPTION 'nobody lent this' USING ERRCODE = 'OP001';
    END IF;
    RETURN NULL;
  END IF;
  SELECT solicitante, nullif(agente_dono, '') INTO requester, owner FROM agente_aprovacao
   WHERE tenant_id = NEW.tenant_id AND id = NEW.approval_id;
  IF owner IN (NEW.subject, power) THEN
    RAISE EXCEPTION 'the owner of the agent does not decide' USING ERRCODE = 'OP001';
  END IF;
  IF requester = power THEN
    RAISE EXCEPTION 'the requester does not decide' USING ERRCODE = 'OP001';
  END IF;
  IF power <> NEW.subject AND NOT EXISTS (
    SELECT FROM approval_delegation
     WHERE tenant_id = NEW.tenant_id AND giver = power AND receiver = NEW.subject
       AND revoked_at IS NULL AND clock_timestamp() >= starts_at
       AND clock_timestamp() < ends_at) THEN
    RAISE EXCEPTION 'no delegation is in force' USING ERRCODE = 'OP001';
  END IF;
  IF EXISTS (
    SELECT FROM approval_decision
     WHERE tenant_id = NEW.tenant_id AND approval_id = NEW.approval_id AND id <> NEW.id
       AND coalesce(nullif(on_behalf_of, ''), subject) = power) THEN
    RAISE EXCEPTION 'this power has voted' USING ERRCODE = 'OP001';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER decide_authority AFTER INSERT ON approval_decision
  FOR EACH ROW EXECUTE FUNCTION decision_has_authority();
"""

IMMUTABLE = """
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON access_review
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON access_review
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("approvals", "0009_external_law"),
        ("tenancy", "0004_membership_history"),
    ]

    operations = [
        migrations.AddField(
            "decision",
            "on_behalf_of",
            models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
        migrations.AddField(
            "decision",
            "on_behalf_of_name",
            models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
        migrations.CreateModel(
            name="Delegation",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("giver", models.CharField(max_length=80)),
                ("giver_name", models.CharField(max_length=80)),
                ("receiver", models.CharField(max_length=80)),
                ("receiver_name", models.CharField(max_length=80)),
                (
                    "roles",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(choices=ROLES, max_length=20), size=None
                    ),
                ),
                ("starts_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                ("reason", models.TextField()),
                ("created_at", models.DateTimeField(db_default=Now())),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "revoked_by",
                    models.CharField(blank=True, db_default="", default="", max_length=200),
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
            options={"db_table": "approval_delegation"},
        ),
        migrations.CreateModel(
            name="AccessReview",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("period", models.CharField(max_length=7)),
                ("reviewer", models.CharField(max_length=80)),
                ("reviewer_name", models.CharField(max_length=80)),
                ("remark", models.TextField(blank=True, default="")),
                ("sha256", models.CharField(max_length=64)),
                ("content", models.JSONField()),
                ("at", models.DateTimeField(db_default=Now())),
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
            options={"db_table": "access_review"},
        ),
        migrations.AddConstraint(
            "delegation",
            models.UniqueConstraint(fields=("tenant", "id"), name="approval_delegation_tenant_id"),
        ),
        migrations.AddConstraint(
            "delegation",
            models.UniqueConstraint(
                fields=("tenant", "ref"), name="approval_delegation_tenant_ref"
            ),
        ),
        migrations.AddConstraint(
            "delegation",
            models.CheckConstraint(
                condition=~models.Q(giver=models.F("receiver")),
                name="approval_delegation_two_people",
            ),
        ),
        migrations.AddConstraint(
            "delegation",
            models.CheckConstraint(
                condition=models.Q(
                    ends_at__gt=models.F("starts_at"),
                    ends_at__lte=models.F("starts_at") + datetime.timedelta(days=30),
                ),
                name="approval_delegation_bounded",
            ),
        ),
        migrations.AddIndex(
            "delegation",
            models.Index(fields=["tenant", "receiver", "ends_at"], name="approval_delegation_to"),
        ),
        migrations.AddConstraint(
            "accessreview",
            models.UniqueConstraint(fields=("tenant", "id"), name="access_review_tenant_id"),
        ),
        migrations.AddConstraint(
            "accessreview",
            models.UniqueConstraint(fields=("tenant", "ref"), name="access_review_tenant_ref"),
        ),
        migrations.AddConstraint(
            "accessreview",
            models.UniqueConstraint(
                fields=("tenant", "period", "reviewer", "sha256"), name="access_review_once"
            ),
        ),
        tenant_table(
            "approval_delegation",
            app="SELECT, INSERT, UPDATE (revoked_at, revoked_by)",
            reader=True,
        ),
        tenant_table("access_review", reader=True),
        migrations.RunSQL(
            BOUNDED,
            "DROP FUNCTION delegation_is_bounded() CASCADE;"
            "DROP FUNCTION delegation_ends_once() CASCADE",
        ),
        migrations.RunSQL(AUTHORITY, "DROP FUNCTION decision_has_authority() CASCADE"),
        migrations.RunSQL(IMMUTABLE, migrations.RunSQL.noop),
    ]
