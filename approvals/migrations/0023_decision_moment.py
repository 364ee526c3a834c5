"""What a decision rests on, read by one function: the database keeps its plan, where a statement
would be planned anew for each decision, which takes longer than answering it."""

from __future__ import annotations

from django.db import migrations

# As its caller: row level security holds inside. STABLE, so that all of it is of one moment.
DECISION_MOMENT = """
CREATE FUNCTION decision_moment(
  tenant uuid, person bigint, who text, proposal bigint,
  OUT at timestamptz, OUT roles text[], OUT given text[], OUT lent boolean, OUT votes text[],
  OUT newest text[]
) LANGUAGE plpgsql STABLE SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  SELECT clock_timestamp(),
         (SELECT m.roles FROM membership m JOIN console_user u ON u.id = m.user_id AND u.is_active
           WHERE m.tenant_id = tenant AND m.user_id = person),
         ARRAY(SELECT to_role FROM approval_escalation
                WHERE tenant_id = tenant AND approval_id = proposal),
         EXISTS (SELECT FROM approval_delegation
                  WHERE tenant_id = tenant AND receiver = who AND ends_at > clock_timestamp()),
         ARRAY(SELECT ARRAY[subject, on_behalf_of] FROM approval_decision
                WHERE tenant_id = tenant AND approval_id = proposal),
         (SELECT ARRAY[number::text, sha256] FROM policy_version
           WHERE tenant_id = tenant ORDER BY number DESC LIMIT 1)
    INTO at, roles, given, lent, votes, newest;
END $$;
REVOKE ALL ON FUNCTION decision_moment(uuid, bigint, text, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION decision_moment(uuid, bigint, text, bigint) TO opspilot_app
"""


class Migration(migrations.Migration):
    dependencies = [("approvals", "0022_rules_of_an_execution")]

    operations = [
        migrations.RunSQL(
            DECISION_MOMENT, "DROP FUNCTION decision_moment(uuid, bigint, text, bigint)"
        ),
    ]
