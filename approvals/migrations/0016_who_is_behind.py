"""Who stood behind the agent when it asked decides nothing either: whoever issued the token it
asked with, and whoever owned it or changed its owner shortly before."""

from __future__ import annotations

import django.contrib.postgres.fields
from django.db import migrations, models

# As before, and: nobody who is named in the proposal itself.
BEHIND = """
CREATE OR REPLACE FUNCTION decision_is_not_the_owners() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  owner text;
  behind text[];
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
  SELECT agente_barrados INTO behind FROM agente_aprovacao
   WHERE tenant_id = NEW.tenant_id AND id = NEW.approval_id;
  IF NEW.subject = ANY (behind) OR NEW.on_behalf_of = ANY (behind) THEN
    RAISE EXCEPTION 'who stands behind the agent does not decide' USING ERRCODE = 'OP001';
  END IF;
  RETURN NULL;
END $$;
"""

BEFORE = """
CREATE OR REPLACE FUNCTION decision_is_not_the_owners() RETURNS trigger LANGUAGE plpgsql
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
"""


class Migration(migrations.Migration):
    dependencies = [("approvals", "0015_owner_now"), ("api", "0003_who_is_behind")]

    operations = [
        migrations.AddField(
            "agenteaprovacao",
            "agente_barrados",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.TextField(), db_default=[], default=list, size=None
            ),
        ),
        migrations.RunSQL(BEHIND, BEFORE),
    ]
