"""The law of consumption and of standing permissions, and the decisions no person makes.

What an approval is used for is settled in the database: once, by whoever asked, in time, for the
exact hash. A standing permission is counted under a lock on its own row.
"""

from __future__ import annotations

from django.db import migrations

from opspilot.tenancy.schema import definer_function, tenant_table

# Approved is a final state, so the row needs no lock; the unique key settles the race.
CONSUMPTION = """
CREATE FUNCTION consumption_is_lawful() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  proposal agente_aprovacao;
BEGIN
  NEW.at := clock_timestamp();
  SELECT * INTO proposal FROM agente_aprovacao
   WHERE tenant_id = NEW.tenant_id AND id = NEW.approval_id;
  IF NOT FOUND OR proposal.estado <> 'aprovada' THEN
    RAISE EXCEPTION 'proposal is not approved' USING ERRCODE = 'OP001';
  END IF;
  IF proposal.proposta->>'executor' IS DISTINCT FROM 'agente' THEN
    RAISE EXCEPTION 'not carried out by an agent' USING ERRCODE = 'OP001';
  END IF;
  IF NEW.seen_hash <> proposal.acao_hash THEN
    RAISE EXCEPTION 'hash differs' USING ERRCODE = 'OP001';
  END IF;
  IF NEW.kind = 'consumida' THEN
    IF NEW.subject <> proposal.solicitante THEN
      RAISE EXCEPTION 'only who asked consumes' USING ERRCODE = 'OP001';
    END IF;
    IF NEW.at >= proposal.executar_ate THEN
      RAISE EXCEPTION 'too late' USING ERRCODE = 'OP001';
    END IF;
    IF EXISTS (SELECT FROM standing_use u JOIN standing_permission p
                   ON p.tenant_id = u.tenant_id AND p.id = u.permission_id
                WHERE u.tenant_id = NEW.tenant_id AND u.approval_id = NEW.approval_id
                  AND (p.revoked_by <> '' OR NEW.at >= p.ends_at)) THEN
      RAISE EXCEPTION 'permission has ended' USING ERRCODE = 'OP001';
    END IF;
  ELSIF NOT EXISTS (SELECT FROM approval_decision WHERE tenant_id = NEW.tenant_id
                     AND approval_id = NEW.approval_id AND subject = NEW.subject
                     AND verdict = 'aprovar') THEN
    RAISE EXCEPTION 'only who approved takes it back' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER lawful BEFORE INSERT ON approval_consumption
  FOR EACH ROW EXECUTE FUNCTION consumption_is_lawful();
ALTER TABLE approval_consumption ADD CONSTRAINT approval_consumption_kind
  CHECK (kind IN ('consumida', 'retirada'));

CREATE FUNCTION effect_is_lawful() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  NEW.at := clock_timestamp();
  IF NOT EXISTS (SELECT FROM approval_consumption WHERE tenant_id = NEW.tenant_id
                  AND id = NEW.consumption_id AND kind = 'consumida') THEN
    RAISE EXCEPTION 'nothing was consumed' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER lawful BEFORE INSERT ON approval_effect
  FOR EACH ROW EXECUTE FUNCTION effect_is_lawful();
ALTER TABLE approval_effect ADD CONSTRAINT approval_effect_outcome
  CHECK (outcome IN ('ok', 'recusado', 'erro', 'desconhecido'));

CREATE FUNCTION execution_is_ours() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM agente_aprovacao WHERE tenant_id = NEW.tenant_id
              AND id = NEW.approval_id AND proposta->>'executor' = 'agente') THEN
    RAISE EXCEPTION 'an agent carries this out' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER ours BEFORE INSERT ON execution
  FOR EACH ROW EXECUTE FUNCTION execution_is_ours();
"""

# The app may lock a permission because it may confirm and revoke one.
STANDING = """
CREATE FUNCTION permission_starts_open() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  NEW.proposed_at := clock_timestamp();
  NEW.confirmed_by := ''; NEW.confirmed_name := ''; NEW.confirmed_at := NULL;
  NEW.revoked_by := ''; NEW.revoked_name := ''; NEW.revoked_reason := '';
  NEW.revoked_at := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER starts_open BEFORE INSERT ON standing_permission
  FOR EACH ROW EXECUTE FUNCTION permission_starts_open();

CREATE FUNCTION permission_moves_once() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF OLD.revoked_by <> '' THEN
    RAISE EXCEPTION 'permission has ended' USING ERRCODE = 'OP001';
  END IF;
  IF (NEW.confirmed_by, NEW.confirmed_name) <> (OLD.confirmed_by, OLD.confirmed_name) THEN
    IF OLD.confirmed_by <> '' OR clock_timestamp() >= OLD.ends_at THEN
      RAISE EXCEPTION 'permission was confirmed or has ended' USING ERRCODE = 'OP001';
    END IF;
    NEW.confirmed_at := clock_timestamp();
  END IF;
  IF NEW.revoked_by <> '' THEN
    NEW.revoked_at := clock_timestamp();
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER moves_once BEFORE UPDATE ON standing_permission
  FOR EACH ROW EXECUTE FUNCTION permission_moves_once();
ALTER TABLE standing_permission ADD CONSTRAINT standing_permission_kind
  CHECK (kind NOT IN ('issue.criada', 'tarefa.executada'));
ALTER TABLE standing_permission ADD CONSTRAINT standing_permission_period
  CHECK (period IN ('dia', 'semana', 'mes'));

CREATE FUNCTION use_is_lawful() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  permission standing_permission;
  proposal agente_aprovacao;
  since timestamptz;
  total integer;
  recent integer;
BEGIN
  SELECT * INTO permission FROM standing_permission
   WHERE tenant_id = NEW.tenant_id AND id = NEW.permission_id FOR NO KEY UPDATE;
  NEW.at := clock_timestamp();
  IF NOT FOUND OR permission.confirmed_by = '' OR permission.revoked_by <> ''
     OR NEW.at >= permission.ends_at THEN
    RAISE EXCEPTION 'permission is not in force' USING ERRCODE = 'OP001';
  END IF;
  SELECT * INTO proposal FROM agente_aprovacao
   WHERE tenant_id = NEW.tenant_id AND id = NEW.approval_id;
  IF NOT FOUND OR proposal.agente <> permission.agent OR proposal.acao <> permission.kind
     OR proposal.proposta->>'executor' IS DISTINCT FROM 'agente' THEN
    RAISE EXCEPTION 'permission is for something else' USING ERRCODE = 'OP001';
  END IF;
  IF proposal.agente_dono IN ('', permission.proposed_by, permission.confirmed_by) THEN
    RAISE EXCEPTION 'the owner gave this permission' USING ERRCODE = 'OP001';
  END IF;
  SELECT sum((field.value->>'value')::bigint) INTO NEW.amount_centavos
    FROM jsonb_each(proposal.proposta->'fields') field WHERE field.value->>'type' = 'centavos';
  IF (NEW.amount_centavos IS NULL) <> (permission.ceiling_centavos IS NULL)
     OR NEW.amount_centavos > permission.ceiling_centavos THEN
    RAISE EXCEPTION 'above the ceiling' USING ERRCODE = 'OP001';
  END IF;
  since := NEW.at - CASE permission.period WHEN 'dia' THEN interval '1 day'
    WHEN 'semana' THEN interval '7 days' ELSE interval '30 days' END;
  SELECT count(*), count(*) FILTER (WHERE at > since) INTO total, recent FROM standing_use
   WHERE tenant_id = NEW.tenant_id AND permission_id = NEW.permission_id;
  IF total >= permission.max_uses OR recent >= permission.period_uses THEN
    RAISE EXCEPTION 'used up' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER lawful BEFORE INSERT ON standing_use
  FOR EACH ROW EXECUTE FUNCTION use_is_lawful();
"""

# As before, and: an agent never decides, its owner never decides for it, and the two subjects that
# are no persons may only approve what the rule or the counted permission covers.
DECIDE = """
CREATE OR REPLACE FUNCTION decide_proposal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  proposal agente_aprovacao;
  votes integer;
  outcome text;
  unattended boolean := NEW.subject = 'regra' OR NEW.subject LIKE 'permissao:%';
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
  IF NEW.subject = proposal.agente_dono THEN
    RAISE EXCEPTION 'the owner of the agent does not decide' USING ERRCODE = 'OP001';
  END IF;
  IF NEW.subject LIKE 'agente:%' AND NEW.verdict <> 'cancelar' THEN
    RAISE EXCEPTION 'an agent does not decide' USING ERRCODE = 'OP001';
  END IF;
  IF unattended AND (NEW.verdict <> 'aprovar'
     OR proposal.proposta->>'executor' IS DISTINCT FROM 'agente') THEN
    RAISE EXCEPTION 'a person decides this' USING ERRCODE = 'OP001';
  END IF;
  IF NEW.subject = 'regra' AND proposal.proposta->>'authorization' IS DISTINCT FROM 'regra' THEN
    RAISE EXCEPTION 'no rule approves this' USING ERRCODE = 'OP001';
  END IF;
  IF NEW.subject LIKE 'permissao:%' AND NOT EXISTS (
      SELECT FROM standing_use u JOIN standing_permission p
          ON p.tenant_id = u.tenant_id AND p.id = u.permission_id
       WHERE u.tenant_id = NEW.tenant_id AND u.approval_id = NEW.approval_id
         AND NEW.subject = 'permissao:' || p.ref) THEN
    RAISE EXCEPTION 'no use of this permission was counted' USING ERRCODE = 'OP001';
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
    WHEN 'aprovar' THEN
      CASE WHEN unattended OR votes >= proposal.aprovacoes_exigidas THEN 'aprovada' END
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

IMMUTABLE = "".join(
    f"""
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table}
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON {table}
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
"""
    for table in ("approval_consumption", "approval_effect", "standing_use")
)
CONFIRM_AND_REVOKE = "confirmed_by, confirmed_name, revoked_by, revoked_name, revoked_reason"


class Migration(migrations.Migration):
    dependencies = [("approvals", "0008_external")]

    operations = [
        tenant_table(
            "approval_consumption", reader=True, references=[("approval_id", "agente_aprovacao")]
        ),
        tenant_table(
            "approval_effect",
            reader=True,
            references=[("consumption_id", "approval_consumption")],
        ),
        tenant_table(
            "standing_permission",
            app=f"SELECT, INSERT, UPDATE ({CONFIRM_AND_REVOKE})",
            reader=True,
            definer_reads=True,
        ),
        tenant_table(
            "standing_use",
            reader=True,
            definer_reads=True,
            references=[
                ("permission_id", "standing_permission"),
                ("approval_id", "agente_aprovacao"),
            ],
        ),
        migrations.RunSQL(
            CONSUMPTION,
            "DROP FUNCTION consumption_is_lawful() CASCADE; "
            "DROP FUNCTION effect_is_lawful() CASCADE; DROP FUNCTION execution_is_ours() CASCADE",
        ),
        migrations.RunSQL(
            STANDING,
            "DROP FUNCTION permission_starts_open() CASCADE; "
            "DROP FUNCTION permission_moves_once() CASCADE; DROP FUNCTION use_is_lawful() CASCADE",
        ),
        definer_function(DECIDE, name="decide_proposal()", execute="opspilot_owner"),
        migrations.RunSQL(IMMUTABLE, migrations.RunSQL.noop),
    ]
