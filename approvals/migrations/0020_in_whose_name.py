"""A proposal's row names whoever a vote was given for; a permission counts only while both who gave
it are admins and none of them stands behind the agent."""

from __future__ import annotations

import importlib

from django.db import migrations

from opspilot.tenancy.schema import as_definer

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
           decidida_por = (SELECT string_agg(subject_name || ' (' || subject || ')' || CASE on_behalf_of WHEN '' THEN ''
                             ELSE ', no lugar de ' || on_behalf_of_name || ' (' || on_behalf_of || ')' END,
                             ', ' ORDER BY id)
                             FROM approval_decision WHERE tenant_id = NEW.tenant_id
                              AND approval_id = NEW.approval_id AND verdict = NEW.verdict)
     WHERE tenant_id = NEW.tenant_id AND id = NEW.approval_id;
  END IF;
  RETURN NULL;
END $$
"""

DECIDED_BEFORE: str = importlib.import_module("approvals.migrations.0009_external_law").DECIDE

USE = """
CREATE OR REPLACE FUNCTION use_is_lawful() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  permission standing_permission;
  proposal agente_aprovacao;
  since timestamptz;
  total integer;
  recent integer;
  present integer;
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
  IF proposal.agente_dono IN ('', permission.proposed_by, permission.confirmed_by)
     OR proposal.agente_barrados && ARRAY[permission.proposed_by, permission.confirmed_by]::text[] THEN
    RAISE EXCEPTION 'who stands behind the agent gave this permission' USING ERRCODE = 'OP001';
  END IF;
  SELECT count(*) INTO present FROM membership m JOIN console_user u ON u.id = m.user_id AND u.is_active
   WHERE m.tenant_id = NEW.tenant_id AND 'admin' = ANY (m.roles)
     AND 'usuario:' || m.user_id IN (permission.proposed_by, permission.confirmed_by);
  IF present < 2 THEN
    RAISE EXCEPTION 'who gave this permission is no admin any more' USING ERRCODE = 'OP001';
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
"""

USED_BEFORE = """
CREATE OR REPLACE FUNCTION use_is_lawful() RETURNS trigger LANGUAGE plpgsql
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
"""


class Migration(migrations.Migration):
    dependencies = [("approvals", "0019_life_of_an_execution")]

    operations = [
        migrations.RunSQL(as_definer(DECIDE), as_definer(DECIDED_BEFORE)),
        migrations.RunSQL(USE, USED_BEFORE),
    ]
