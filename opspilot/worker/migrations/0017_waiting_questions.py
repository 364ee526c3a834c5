"""How many questions could begin and have not, and how long the oldest of them has waited: two figures
over all companies, no row and no company of any. And what finds the few rows that were given up among
years of those that were not.
"""

from __future__ import annotations

from django.db import migrations

from opspilot.tenancy.schema import definer_function

# One that was put off waits for its provider until `lease_until`, and for us only from then on.
WAITING_QUESTIONS = """
CREATE FUNCTION waiting_questions(OUT waiting bigint, OUT oldest_seconds double precision)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT count(*), coalesce(extract(epoch FROM clock_timestamp()
           - min(greatest(r.created_at, r.lease_until)))::double precision, 0)
    FROM run r
   WHERE r.state IN ('queued', 'running')
     AND (r.lease_until IS NULL OR r.lease_until < clock_timestamp())
$$
"""
INDEXES = (
    (
        "CREATE INDEX run_given_up ON run (tenant_id, id) WHERE state IN ('failed', 'review')",
        "DROP INDEX run_given_up",
    ),
    (
        "CREATE INDEX upload_given_up ON upload (tenant_id, id) "
        "WHERE state = 'rejected' AND code = 'interrupted'",
        "DROP INDEX upload_given_up",
    ),
)


class Migration(migrations.Migration):
    dependencies = [("worker", "0016_due_index"), ("resilience", "0002_pressure")]

    operations = [
        definer_function(WAITING_QUESTIONS, name="waiting_questions()", execute="opspilot_app"),
        *(migrations.RunSQL(made, dropped) for made, dropped in INDEXES),
    ]
