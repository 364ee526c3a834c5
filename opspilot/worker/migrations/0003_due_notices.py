"""What is due for another role, what nobody has been told of yet, and the notices themselves.

`notices.events` says the same about a single proposal in Python; a test holds the two together.
"""

from __future__ import annotations

import importlib

from django.db import migrations

LISTS = importlib.import_module("opspilot.worker.migrations.0002_due_lists")
BEFORE: str = LISTS.DUE_WORK
NOTICES = """
    UNION ALL
    SELECT a.tenant_id, a.id FROM agente_aprovacao a
      JOIN (SELECT DISTINCT ON (p.tenant_id) p.tenant_id, p.document FROM policy_version p
             WHERE due_work.kind = 'escalation' ORDER BY p.tenant_id, p.number DESC) v
        ON v.tenant_id = a.tenant_id
      CROSS JOIN LATERAL (
        SELECT coalesce(v.document -> replace(a.acao, '.', '_'),
                        v.document -> 'acoes_externas' -> a.acao) -> 'escalonamento' AS rule) r
     WHERE due_work.kind = 'escalation' AND a.estado = 'pendente'
       AND a.expira_em > clock_timestamp() AND r.rule ->> 'para_papel' <> a.papel_exigido
       AND clock_timestamp() >= a.criada_em + (a.expira_em - a.criada_em)
           * ((r.rule ->> 'depois_de_percentual')::float8 / 100)
       AND NOT EXISTS (SELECT FROM approval_escalation e WHERE e.tenant_id = a.tenant_id
                        AND e.approval_id = a.id AND e.to_role = r.rule ->> 'para_papel')
    UNION ALL
    SELECT a.tenant_id, a.id FROM agente_aprovacao a
     WHERE due_work.kind = 'telling' AND a.estado = 'pendente'
       AND a.expira_em > clock_timestamp()
       AND (NOT EXISTS (SELECT FROM notice_telling t WHERE t.tenant_id = a.tenant_id
                         AND t.approval_id = a.id AND t.kind = 'pendente')
         OR clock_timestamp() >= greatest(
              a.criada_em + (a.expira_em - a.criada_em) * 0.5,
              least(a.criada_em + (a.expira_em - a.criada_em) * 0.75,
                    a.expira_em - interval '15 minutes'))
            AND NOT EXISTS (SELECT FROM notice_telling t WHERE t.tenant_id = a.tenant_id
                             AND t.approval_id = a.id AND t.kind = 'alerta'))
    UNION ALL
    SELECT e.tenant_id, e.approval_id FROM approval_escalation e
      JOIN agente_aprovacao a ON a.tenant_id = e.tenant_id AND a.id = e.approval_id
     WHERE due_work.kind = 'telling' AND a.estado = 'pendente'
       AND a.expira_em > clock_timestamp()
       AND NOT EXISTS (SELECT FROM notice_telling t WHERE t.tenant_id = e.tenant_id
                        AND t.approval_id = e.approval_id AND t.kind = 'escalada'
                        AND t.about = e.to_role)
    UNION ALL
    SELECT a.tenant_id, a.id FROM agente_aprovacao a
     WHERE due_work.kind = 'telling' AND a.decidida_em > clock_timestamp() - interval '1 day'
       AND a.estado IN ('aprovada', 'recusada', 'devolvida', 'expirada')
       AND NOT EXISTS (SELECT FROM notice_telling t WHERE t.tenant_id = a.tenant_id
                        AND t.approval_id = a.id AND t.kind = 'decisao')
    UNION ALL
    SELECT x.tenant_id, x.approval_id FROM execution x
     WHERE due_work.kind = 'telling'
       AND (x.state = 'divergente' OR x.state = 'desconhecida' AND x.next_lookup_at IS NULL)
       AND NOT EXISTS (SELECT FROM notice_telling t WHERE t.tenant_id = x.tenant_id
                        AND t.approval_id = x.approval_id AND t.kind = 'resultado')
    UNION ALL
    SELECT n.tenant_id, n.id FROM notice n
     WHERE due_work.kind = 'notice' AND n.state = 'pendente' AND n.next_at <= clock_timestamp()
       AND (n.lease_until IS NULL OR n.lease_until < clock_timestamp())
  ) d ORDER BY"""
DUE_WORK = BEFORE.replace("\n  ) d ORDER BY", NOTICES)


class Migration(migrations.Migration):
    dependencies = [
        ("worker", "0002_due_lists"),
        ("approvals", "0014_told"),
        ("notices", "0001_initial"),
    ]

    operations = [migrations.RunSQL(LISTS.replaced(DUE_WORK), LISTS.replaced(BEFORE))]
