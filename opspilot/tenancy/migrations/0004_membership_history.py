"""Every change of a membership and of a person's activation, written by the database itself.

It starts with one row for everybody who is in: what held before this migration ran is not known.
"""

from __future__ import annotations

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import DEFINER, definer_function, tenant_table

# A deactivation happens outside every tenant, hence the definer. The subject is text: what is
# remembered of a person outlives their row.
RIGHTS = f"""
GRANT SELECT (id, username, display_name, is_active) ON console_user TO {DEFINER};
GRANT INSERT ON membership_change TO {DEFINER};
CREATE POLICY definer_writes ON membership_change FOR INSERT TO {DEFINER} WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON membership_change
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON membership_change
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
"""

MEMBERSHIP = """
CREATE FUNCTION record_membership() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  changed membership;
BEGIN
  IF TG_OP = 'DELETE' THEN
    changed := OLD;
    changed.roles := '{}';
  ELSE
    changed := NEW;
  END IF;
  INSERT INTO membership_change (tenant_id, subject, name, roles, active, baseline, at)
  SELECT changed.tenant_id, 'usuario:' || u.id, left(coalesce(nullif(u.display_name, ''),
         u.username), 80), changed.roles, u.is_active, false, clock_timestamp()
    FROM console_user u WHERE u.id = changed.user_id;
  RETURN NULL;
END $$
"""

PERSON = """
CREATE FUNCTION record_person() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO membership_change (tenant_id, subject, name, roles, active, baseline, at)
  SELECT m.tenant_id, 'usuario:' || NEW.id, left(coalesce(nullif(NEW.display_name, ''),
         NEW.username), 80), m.roles, NEW.is_active, false, clock_timestamp()
    FROM membership m WHERE m.user_id = NEW.id;
  RETURN NULL;
END $$
"""

TRIGGERS = """
CREATE TRIGGER remember AFTER INSERT OR DELETE ON membership
  FOR EACH ROW EXECUTE FUNCTION record_membership();
CREATE TRIGGER remember_change AFTER UPDATE ON membership
  FOR EACH ROW WHEN (OLD.roles IS DISTINCT FROM NEW.roles) EXECUTE FUNCTION record_membership();
CREATE TRIGGER remember AFTER UPDATE ON console_user
  FOR EACH ROW WHEN ((OLD.is_active, OLD.display_name, OLD.username)
                     IS DISTINCT FROM (NEW.is_active, NEW.display_name, NEW.username))
  EXECUTE FUNCTION record_person();
"""

BASELINE = f"""
SET LOCAL ROLE {DEFINER};
INSERT INTO membership_change (tenant_id, subject, name, roles, active, baseline, at)
SELECT m.tenant_id, 'usuario:' || u.id, left(coalesce(nullif(u.display_name, ''), u.username), 80),
       m.roles, u.is_active, true, clock_timestamp()
  FROM membership m JOIN console_user u ON u.id = m.user_id;
RESET ROLE
"""


class Migration(migrations.Migration):
    dependencies = [("tenancy", "0003_preferences"), ("audit", "0002_trail")]

    operations = [
        migrations.CreateModel(
            name="MembershipChange",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("subject", models.CharField(max_length=80)),
                ("name", models.CharField(max_length=80)),
                (
                    "roles",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=20), size=None
                    ),
                ),
                ("active", models.BooleanField()),
                ("baseline", models.BooleanField(default=False)),
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
            options={"db_table": "membership_change"},
        ),
        migrations.AddConstraint(
            "membershipchange",
            models.UniqueConstraint(fields=("tenant", "id"), name="membership_change_tenant_id"),
        ),
        migrations.AddIndex(
            "membershipchange",
            models.Index(fields=["tenant", "subject", "-id"], name="membership_change_of"),
        ),
        tenant_table("membership_change", app="SELECT", reader=True, definer_reads=False),
        migrations.RunSQL(RIGHTS, migrations.RunSQL.noop),
        definer_function(MEMBERSHIP, name="record_membership()", execute="opspilot_owner"),
        definer_function(PERSON, name="record_person()", execute="opspilot_owner"),
        migrations.RunSQL(
            TRIGGERS,
            "DROP TRIGGER remember ON membership;"
            "DROP TRIGGER remember_change ON membership;"
            "DROP TRIGGER remember ON console_user",
        ),
        migrations.RunSQL(BASELINE, migrations.RunSQL.noop),
    ]
