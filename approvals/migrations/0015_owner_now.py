"""Who answers for an agent now decides nothing it asked for, like who did when it asked."""

from __future__ import annotations

from django.db import migrations

# After `decide_authority`, in the alphabet and so in time, under the proposal's lock. The agent's
# row is held too, so that it does not change hands in the same instant.
OWNER_NOW = """
CREATE FUNCTION decision_is_not_the_owners() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  owner text;
BEGIN
  IF NEW.verdict NOT IN ('aprovar', 'recusar', 'devolver') THEN
    RETURN NULL;
  END IF;
  SELECT 'usuario:' || a.owner_id INTO owner FROM agente_aprovacao p
    JOIN agent a ON a.tenant_id = p.tenant_id AND a.slug = p.agente
   WHERE p.tenant_id = NEW.tenant_id AND p.id = NEW.approval_id FOR SHARE OF a;
  IF owner IN (NEW.subject, NEW.on_behalf_of) THEN
    RAISE EXCEPTION 'the owner of the agent does not decide' USING ERRCODE = 'OP001';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER decide_owner AFTER INSERT ON approval_decision
  FOR EACH ROW EXECUTE FUNCTION decision_is_not_the_owners();
"""


class Migration(migrations.Migration):
    dependencies = [("approvals", "0014_told"), ("api", "0002_law")]

    operations = [
        migrations.RunSQL(OWNER_NOW, "DROP FUNCTION decision_is_not_the_owners() CASCADE"),
    ]
