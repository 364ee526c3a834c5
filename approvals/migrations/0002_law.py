"""Row level security of the approval life, and the trigger that alone moves `estado`."""

from __future__ import annotations

from django.db import migrations

from opspilot.tenancy.schema import DEFINER, definer_function, tenant_table

BORN_PENDING = """
CREATE FUNCTION proposal_is_born_pending() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  NEW.criada_em := clock_timestamp();
  NEW.estado := 'pendente';
  NEW.decidida_em := NULL;
  NEW.decidida_por := NULL;
  NEW.motivo := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER born_pending BEFORE INSERT ON agente_aprovacao
  FOR EACH ROW EXECUTE FUNCTION proposal_is_born_pending();
"""

# Locks the proposal, reads the clock, counts the votes: what the app itself may not do.
# SQLSTATE OP001 tells the service that the row it read has moved meanwhile. NO KEY: the foreign key's
# own check already holds a KEY SHARE lock, and two voters that both want more than that deadlock.
DECIDE = """
CREATE FUNCTION decide_proposal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  proposal agente_aprovacao;
  votes integer;
  outcome text;
BEGIN
  SELECT * INTO proposal FROM agente_aprovacao
   WHERE tenant_id = NEW.tenant_id AND id = NEW.approval_id FOR NO KEY UPDATE;
  IF NOT FOUND OR proposal.estado <> 'pendente' THEN
    RAISE EXCEPTION 'proposal is not pending' USING ERRCODE = 'OP001';
  END IF;
  IF NEW.seen_hash <> proposal.acao_hash THEN
    RAISE EXCEPTION 'hash differs' USING ERRCODE = 'OP001';
  END IF;
  IF NEW.subject = proposal.solicitante AND NEW.verdict <> 'cancelar' THEN
    RAISE EXCEPTION 'the requester does not decide' USING ERRCODE = 'OP001';
  END IF;
  IF NEW.verdict = 'cancelar' AND NEW.subject <> proposal.solicitante THEN
    RAISE EXCEPTION 'only the requester cancels' USING ERRCODE = 'OP001';
  END IF;
  IF (NEW.verdict = 'expirar') <> (NEW.subject = 'sistema') THEN
    RAISE EXCEPTION 'only the clock expires' USING ERRCODE = 'OP001';
  END IF;
  IF (clock_timestamp() >= proposal.expira_em) <> (NEW.verdict = 'expirar') THEN
    RAISE EXCEPTION 'expiry is the clock''s' USING ERRCODE = 'OP001';
  END IF;
  SELECT count(*) INTO votes FROM approval_decision
   WHERE tenant_id = NEW.tenant_id AND approval_id = NEW.approval_id AND verdict = 'aprovar';
  outcome := CASE NEW.verdict
    WHEN 'aprovar' THEN CASE WHEN votes >= proposal.aprovacoes_exigidas THEN 'aprovada' END
    WHEN 'recusar' THEN 'recusada' WHEN 'expirar' THEN 'expirada'
    WHEN 'cancelar' THEN 'cancelada' WHEN 'devolver' THEN 'devolvida' END;
  IF outcome IS NOT NULL THEN
    UPDATE agente_aprovacao
       SET estado = outcome, decidida_em = clock_timestamp(), motivo = nullif(NEW.reason, ''),
           decidida_por = (SELECT string_agg(subject_name || ' (' || subject || ')', ', ' ORDER BY id)
                             FROM approval_decision WHERE tenant_id = NEW.tenant_id
                              AND approval_id = NEW.approval_id AND verdict = NEW.verdict)
     WHERE tenant_id = NEW.tenant_id AND id = NEW.approval_id;
  END IF;
  RETURN NULL;
END $$
"""

TRIGGER = f"""
GRANT UPDATE (estado, decidida_em, decidida_por, motivo) ON agente_aprovacao TO {DEFINER};
CREATE POLICY definer_moves ON agente_aprovacao FOR UPDATE TO {DEFINER} USING (true);
CREATE TRIGGER decide AFTER INSERT ON approval_decision
  FOR EACH ROW EXECUTE FUNCTION decide_proposal();
ALTER TABLE agente_aprovacao ADD CONSTRAINT agente_aprovacao_risco
  CHECK (risco IN ('baixo', 'medio', 'alto'));
"""

IMMUTABLE = """
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON approval_decision
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON approval_decision
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON execution_attempt
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON execution_attempt
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON policy_version
  FOR EACH ROW EXECUTE FUNCTION append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("approvals", "0001_initial"), ("audit", "0002_trail")]

    operations = [
        tenant_table("agente_aprovacao", reader=True, definer_reads=True),
        tenant_table(
            "approval_decision",
            reader=True,
            definer_reads=True,
            references=[("approval_id", "agente_aprovacao")],
        ),
        tenant_table(
            "execution",
            app="SELECT, INSERT, UPDATE",
            reader=True,
            definer_reads=True,
            references=[("approval_id", "agente_aprovacao")],
        ),
        tenant_table(
            "execution_attempt", reader=True, references=[("execution_id", "execution")]
        ),
        tenant_table("policy_version", reader=True),
        migrations.RunSQL(BORN_PENDING, "DROP FUNCTION proposal_is_born_pending() CASCADE"),
        definer_function(DECIDE, name="decide_proposal()", execute="opspilot_owner"),
        migrations.RunSQL(TRIGGER, migrations.RunSQL.noop),
        migrations.RunSQL(IMMUTABLE, migrations.RunSQL.noop),
    ]
