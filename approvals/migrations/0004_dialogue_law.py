"""Row level security of comments and policy drafts; a draft is closed once, and only closed."""

from __future__ import annotations

from django.db import migrations

from opspilot.tenancy.schema import tenant_table

ANTERIOR = """
ALTER TABLE agente_aprovacao ADD CONSTRAINT agente_aprovacao_anterior_tenant
  FOREIGN KEY (tenant_id, anterior_id) REFERENCES agente_aprovacao (tenant_id, id)
"""

IMMUTABLE = """
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON approval_comment
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON approval_comment
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE FUNCTION draft_closes_once() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF OLD.outcome <> 'aberto' THEN
    RAISE EXCEPTION 'draft is closed' USING ERRCODE = 'OP001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER closes_once BEFORE UPDATE ON policy_draft
  FOR EACH ROW EXECUTE FUNCTION draft_closes_once();
"""


class Migration(migrations.Migration):
    dependencies = [("approvals", "0003_dialogue_and_policy")]

    operations = [
        tenant_table(
            "approval_comment", reader=True, references=[("approval_id", "agente_aprovacao")]
        ),
        tenant_table(
            "policy_draft",
            app="SELECT, INSERT, UPDATE (outcome, closed_by, closed_at)",
            reader=True,
        ),
        migrations.RunSQL(
            ANTERIOR,
            "ALTER TABLE agente_aprovacao DROP CONSTRAINT agente_aprovacao_anterior_tenant",
        ),
        migrations.RunSQL(IMMUTABLE, "DROP FUNCTION draft_closes_once() CASCADE"),
    ]
