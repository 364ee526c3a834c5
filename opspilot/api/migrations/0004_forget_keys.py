"""The answers kept for an agent that never comes again end too: which companies have such ones."""

from __future__ import annotations

from django.db import migrations

from opspilot.tenancy.schema import DEFINER, definer_function

RIGHTS = f"""
CREATE POLICY definer ON idempotency_key FOR SELECT TO {DEFINER} USING (true);
GRANT SELECT (tenant_id, expires_at) ON idempotency_key TO {DEFINER};
"""
NO_RIGHTS = f"""
REVOKE SELECT (tenant_id, expires_at) ON idempotency_key FROM {DEFINER};
DROP POLICY definer ON idempotency_key;
"""
WITH_OLD_KEYS = """
CREATE FUNCTION tenants_with_old_keys() RETURNS TABLE (tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT DISTINCT k.tenant_id FROM idempotency_key k WHERE k.expires_at <= statement_timestamp()
$$
"""


class Migration(migrations.Migration):
    dependencies = [("api", "0003_who_is_behind")]

    operations = [
        migrations.RunSQL(RIGHTS, NO_RIGHTS),
        definer_function(WITH_OLD_KEYS, name="tenants_with_old_keys()", execute="opspilot_app"),
    ]
