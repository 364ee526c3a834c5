"""Row level security of the agents' tables, the look-up by token, and what a token may become."""

from __future__ import annotations

from django.db import migrations

from opspilot.tenancy.schema import definer_function, tenant_table

# Asked before a tenant is known: pairs only. The row is read inside its tenant and checked there.
PRINCIPAL_OF_TOKEN = """
CREATE FUNCTION principal_of_token(token_hash text) RETURNS TABLE (tenant_id uuid, id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT t.tenant_id, t.id FROM agent_token t WHERE t.hash = token_hash
$$
"""

# A token may end sooner than it was issued for; nothing makes it live longer or come back.
ONLY_ENDS = """
CREATE FUNCTION token_only_ends() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.expires_at > OLD.expires_at OR OLD.revoked_at IS NOT NULL
     AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN
    RAISE EXCEPTION 'a token only ends' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER only_ends BEFORE UPDATE ON agent_token
  FOR EACH ROW EXECUTE FUNCTION token_only_ends();
"""

AGENT_CHANGES = (
    "name, purpose, owner_id, active, model, instruction_hash, "
    "callback_url, callback_number, callback_rotated_at"
)


class Migration(migrations.Migration):
    dependencies = [("api", "0001_initial"), ("tenancy", "0002_law")]

    operations = [
        tenant_table("agent", app=f"SELECT, INSERT, UPDATE ({AGENT_CHANGES})", reader=True),
        tenant_table(
            "agent_token",
            app="SELECT, INSERT, UPDATE (expires_at, revoked_at, revoked_by, last_used_at)",
            definer_reads=True,
            references=[("agent_id", "agent")],
        ),
        tenant_table(
            "agent_window", app="SELECT, INSERT, UPDATE", references=[("agent_id", "agent")]
        ),
        tenant_table(
            "idempotency_key",
            app="SELECT, INSERT, UPDATE, DELETE",
            references=[("agent_id", "agent")],
        ),
        definer_function(
            PRINCIPAL_OF_TOKEN, name="principal_of_token(text)", execute="opspilot_app"
        ),
        migrations.RunSQL(ONLY_ENDS, "DROP FUNCTION token_only_ends() CASCADE"),
    ]
