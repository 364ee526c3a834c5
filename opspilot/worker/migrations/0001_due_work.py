"""What waits to be done, over all tenants, as (tenant, id) pairs only: the worker's one look
outside a tenant. The row itself is read, claimed and changed inside its tenant."""

from __future__ import annotations

from django.db import migrations

from opspilot.tenancy.schema import definer_function

DUE_WORK = """
CREATE FUNCTION due_work(kind text, maximum integer) RETURNS TABLE (tenant_id uuid, id bigint)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT d.tenant_id, d.id FROM (
    SELECT u.tenant_id, u.id FROM upload u
     WHERE due_work.kind = 'upload' AND u.state IN ('uploaded', 'extracted')
       AND (u.lease_until IS NULL OR u.lease_until < clock_timestamp())
    UNION ALL
    SELECT r.tenant_id, r.id FROM run r
     WHERE due_work.kind = 'run' AND r.state IN ('queued', 'running')
       AND (r.lease_until IS NULL OR r.lease_until < clock_timestamp())
    UNION ALL
    SELECT e.tenant_id, e.id FROM execution e
     WHERE due_work.kind = 'execution'
       AND (e.state = 'retida' AND e.not_before <= clock_timestamp()
         OR e.state = 'em_envio' AND e.lease_until < clock_timestamp()
         OR e.state = 'desconhecida' AND e.next_lookup_at <= clock_timestamp()
            AND (e.lease_until IS NULL OR e.lease_until < clock_timestamp()))
    UNION ALL
    SELECT a.tenant_id, a.id FROM agente_aprovacao a
     WHERE due_work.kind = 'expiry' AND a.estado = 'pendente' AND a.expira_em <= clock_timestamp()
  ) d ORDER BY d.id LIMIT maximum
$$
"""


class Migration(migrations.Migration):
    initial = True
    dependencies = [
        ("approvals", "0002_law"),
        ("grounding", "0002_law"),
        ("harness", "0002_law"),
    ]

    operations = [
        definer_function(DUE_WORK, name="due_work(text, integer)", execute="opspilot_app"),
    ]
