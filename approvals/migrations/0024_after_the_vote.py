"""What a vote left, read and followed by one function: the database keeps its plans (as 0023)."""

from __future__ import annotations

from django.db import migrations

# As its caller: row level security and grants hold inside. The vote is a statement before it, so
# that what its triggers did is seen.
AFTER_THE_VOTE = """
CREATE FUNCTION after_the_vote(
  tenant uuid, proposal bigint, queues boolean, mark text, hold_seconds integer,
  OUT estado text, OUT decidida_em timestamptz, OUT decidida_por text, OUT motivo text
) LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  rules integer;
  not_sooner timestamptz;
BEGIN
  SELECT a.estado, a.decidida_em, a.decidida_por, a.motivo, a.versao_esquema, a.executar_de
    INTO estado, decidida_em, decidida_por, motivo, rules, not_sooner
    FROM agente_aprovacao a WHERE a.tenant_id = tenant AND a.id = proposal;
  IF queues AND estado = 'aprovada' THEN
    INSERT INTO execution (tenant_id, approval_id, state, reason, marker, versao_esquema,
                           not_before, attempts, lookups, remote)
    VALUES (tenant, proposal, 'retida', '', mark, rules,
            greatest(clock_timestamp() + make_interval(secs => hold_seconds), not_sooner), 0, 0, '{}');
  END IF;
END $$;
REVOKE ALL ON FUNCTION after_the_vote(uuid, bigint, boolean, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION after_the_vote(uuid, bigint, boolean, text, integer) TO opspilot_app
"""


class Migration(migrations.Migration):
    dependencies = [("approvals", "0023_decision_moment")]

    operations = [
        migrations.RunSQL(
            AFTER_THE_VOTE,
            "DROP FUNCTION after_the_vote(uuid, bigint, boolean, text, integer)",
        ),
    ]
