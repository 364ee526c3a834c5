"""Row level security of tenants and memberships, the first definer function, the global tables.

Global tables hold nothing of a tenant (design §5): people, login, sessions, the queue, Django's own.
"""

from __future__ import annotations

from django.db import migrations

from opspilot.tenancy.schema import definer_function, tenant_table

GLOBAL_TABLES = (
    "console_user, console_user_groups, console_user_user_permissions, auth_group, "
    "auth_group_permissions, auth_permission, django_content_type, django_session, "
    "account_emailaddress, account_emailconfirmation, procrastinate_jobs, procrastinate_events, "
    "procrastinate_periodic_defers, procrastinate_workers"
)

MEMBERSHIPS_OF = """
CREATE FUNCTION memberships_of(person bigint) RETURNS TABLE (tenant_id uuid, id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT m.tenant_id, m.id FROM membership m WHERE m.user_id = person
$$
"""


class Migration(migrations.Migration):
    dependencies = [
        ("tenancy", "0001_initial"),
        ("sessions", "0001_initial"),
        ("account", "0009_emailaddress_unique_primary_email"),
        ("procrastinate", "0041_post_retry_failed_job"),
    ]

    operations = [
        tenant_table("tenant", key="id"),
        tenant_table("membership", app="SELECT, INSERT, UPDATE, DELETE", definer_reads=True),
        definer_function(
            MEMBERSHIPS_OF, name="memberships_of(bigint)", execute="opspilot_app"
        ),
        migrations.RunSQL(
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON {GLOBAL_TABLES} TO opspilot_app;\n"
            "GRANT SELECT ON django_migrations TO opspilot_app;\n"
            "GRANT USAGE ON SEQUENCE procrastinate_jobs_id_seq, procrastinate_events_id_seq, "
            "procrastinate_periodic_defers_id_seq TO opspilot_app",
            migrations.RunSQL.noop,
        ),
    ]
