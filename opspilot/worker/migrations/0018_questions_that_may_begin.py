"""A question of rules that no worker here knows waits for a newer worker and not for us: after a
rollback it would keep everybody's questions outside."""

from __future__ import annotations

import importlib

from django.db import migrations

from opspilot.tenancy.schema import as_definer, definer_function

BEFORE = importlib.import_module("opspilot.worker.migrations.0017_waiting_questions")
# `known` is the newest version of the rules that the worker who asks would claim.
WAITING_QUESTIONS = """
CREATE FUNCTION waiting_questions(
    known integer, OUT waiting bigint, OUT oldest_seconds double precision)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT count(*), coalesce(extract(epoch FROM clock_timestamp()
           - min(greatest(r.created_at, r.lease_until)))::double precision, 0)
    FROM run r
   WHERE r.state IN ('queued', 'running')
     AND r.versao_esquema <= waiting_questions.known
     AND (r.lease_until IS NULL OR r.lease_until < clock_timestamp())
$$
"""
_OLD = definer_function(
    BEFORE.WAITING_QUESTIONS, name="waiting_questions()", execute="opspilot_app"
)


class Migration(migrations.Migration):
    dependencies = [("worker", "0017_waiting_questions"), ("harness", "0001_initial")]

    operations = [
        migrations.RunSQL(as_definer("DROP FUNCTION waiting_questions()"), _OLD.sql),
        definer_function(
            WAITING_QUESTIONS, name="waiting_questions(integer)", execute="opspilot_app"
        ),
    ]
