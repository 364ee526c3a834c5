"""Who owns by now the agent whose effect would be undone or sent again decides nothing of that either,
also where they came to own it after the proposal was made."""

from __future__ import annotations

import importlib

from django.db import migrations

# As before, and: the same of what the proposal is about, and of what that one is about.
OWNERS = """
CREATE OR REPLACE FUNCTION decision_is_not_the_owners() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  owner text;
  behind text[];
  about bigint;
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
  SELECT agente_barrados, sobre_id INTO behind, about FROM agente_aprovacao
   WHERE tenant_id = NEW.tenant_id AND id = NEW.approval_id;
  IF NEW.subject = ANY (behind) OR NEW.on_behalf_of = ANY (behind) THEN
    RAISE EXCEPTION 'who stands behind the agent does not decide' USING ERRCODE = 'OP001';
  END IF;
  WHILE about IS NOT NULL LOOP
    SELECT 'usuario:' || a.owner_id INTO owner FROM agente_aprovacao p
      JOIN agent a ON a.tenant_id = p.tenant_id AND a.slug = p.agente
     WHERE p.tenant_id = NEW.tenant_id AND p.id = about FOR SHARE OF a;
    IF owner IN (NEW.subject, NEW.on_behalf_of) THEN
      RAISE EXCEPTION 'the owner of the first agent does not decide' USING ERRCODE = 'OP001';
    END IF;
    SELECT sobre_id INTO about FROM agente_aprovacao
     WHERE tenant_id = NEW.tenant_id AND id = about;
  END LOOP;
  RETURN NULL;
END $$;
"""

BEFORE: str = importlib.import_module("approvals.migrations.0016_who_is_behind").BEHIND


class Migration(migrations.Migration):
    dependencies = [("approvals", "0024_after_the_vote")]

    operations = [migrations.RunSQL(OWNERS, BEFORE)]
