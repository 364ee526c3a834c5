"""What waits for a second admin and was told to nobody yet. After a day it is no news any more."""

from __future__ import annotations

import importlib

from django.db import migrations

from opspilot.tenancy.schema import DEFINER

LISTS = importlib.import_module("opspilot.worker.migrations.0002_due_lists")
BEFORE: str = importlib.import_module("opspilot.worker.migrations.0006_fair_turns").DUE_WORK
END = "\n  ), served AS MATERIALIZED"
SECONDS = f"""
    UNION ALL
    SELECT d.tenant_id, d.id FROM policy_draft d
     WHERE due_work.kind = 'draft' AND d.outcome = 'aberto'
       AND d.created_at > clock_timestamp() - interval '1 day'
       AND NOT EXISTS (SELECT FROM notice_telling t WHERE t.tenant_id = d.tenant_id
                        AND t.approval_id IS NULL AND t.kind = 'rascunho' AND t.about = d.ref::text)
    UNION ALL
    SELECT s.tenant_id, s.id FROM standing_permission s
     WHERE due_work.kind = 'permission' AND s.confirmed_by = '' AND s.revoked_by = ''
       AND s.ends_at > clock_timestamp() AND s.proposed_at > clock_timestamp() - interval '1 day'
       AND NOT EXISTS (SELECT FROM notice_telling t WHERE t.tenant_id = s.tenant_id
                        AND t.approval_id IS NULL AND t.kind = 'permissao' AND t.about = s.ref::text){END}"""
DUE_WORK = BEFORE.replace(END, SECONDS)
READS = f"""
CREATE POLICY definer ON policy_draft FOR SELECT TO {DEFINER} USING (true);
GRANT SELECT (tenant_id, id, ref, outcome, created_at) ON policy_draft TO {DEFINER};
"""
UNREADS = f"""
DROP POLICY definer ON policy_draft;
REVOKE SELECT (tenant_id, id, ref, outcome, created_at) ON policy_draft FROM {DEFINER};
"""


class Migration(migrations.Migration):
    dependencies = [("worker", "0006_fair_turns"), ("notices", "0002_second_admin")]

    operations = [
        migrations.RunSQL(READS, UNREADS),
        migrations.RunSQL(LISTS.replaced(DUE_WORK), LISTS.replaced(BEFORE)),
    ]
