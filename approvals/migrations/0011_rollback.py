"""What an older release must not touch, over all tenants, as (tenant, id) pairs only."""

from __future__ import annotations

from django.db import migrations

from opspilot.tenancy.schema import DEFINER, definer_function

# 'approval': proposals of newer rules that are not over. 'asked_again': blocked ones that another
# proposal asks again; a release that does not know the link lets a person send them after all.
# 'policy': the version in force of each tenant.
ROLLBACK_WORK = """
CREATE FUNCTION rollback_work(kind text, handler integer) RETURNS TABLE (tenant_id uuid, id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT d.tenant_id, d.id FROM (
    SELECT a.tenant_id, a.id FROM agente_aprovacao a
     WHERE rollback_work.kind = 'approval' AND a.versao_esquema > handler
       AND a.estado IN ('pendente', 'aprovada')
       AND NOT EXISTS (SELECT FROM execution e
            WHERE e.tenant_id = a.tenant_id AND e.approval_id = a.id
              AND e.state IN ('concluida', 'recusada', 'divergente', 'retirada', 'revertida'))
       AND NOT EXISTS (SELECT FROM approval_consumption c
            WHERE c.tenant_id = a.tenant_id AND c.approval_id = a.id)
    UNION ALL
    SELECT a.tenant_id, a.id FROM agente_aprovacao a
      JOIN execution e ON e.tenant_id = a.tenant_id AND e.approval_id = a.id
     WHERE rollback_work.kind = 'asked_again' AND e.state = 'bloqueada'
       AND EXISTS (SELECT FROM agente_aprovacao n
            WHERE n.tenant_id = a.tenant_id AND n.anterior_id = a.id)
    UNION ALL
    (SELECT DISTINCT ON (p.tenant_id) p.tenant_id, p.id FROM policy_version p
      WHERE rollback_work.kind = 'policy' ORDER BY p.tenant_id, p.number DESC)
  ) d ORDER BY d.tenant_id, d.id
$$
"""
CONSUMED_IS_SEEN = f"""
CREATE POLICY definer ON approval_consumption FOR SELECT TO {DEFINER} USING (true);
GRANT SELECT ON approval_consumption TO {DEFINER};
"""


class Migration(migrations.Migration):
    dependencies = [("approvals", "0010_access")]

    operations = [
        migrations.RunSQL(
            CONSUMED_IS_SEEN,
            "DROP POLICY definer ON approval_consumption;\n"
            f"REVOKE SELECT ON approval_consumption FROM {DEFINER}",
        ),
        definer_function(
            ROLLBACK_WORK, name="rollback_work(text, integer)", execute="opspilot_app"
        ),
    ]
