"""Breakers and slots, for all processes and all companies at once. Global tables: they say how a
remote fares and who is talking to it at the moment, nothing of what is said."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models.functions import Now

GLOBAL_TABLES = "connector_breaker, connector_slot, connector_waiting"

# In one statement, so that it costs one trip; the lock orders the takers of one connector, and each
# of the function's own statements then sees what the taker before has written.
TAKE_SLOT = """
CREATE FUNCTION take_slot(wanted text, capacity integer, token uuid, company uuid,
                          lease interval, patience interval) RETURNS integer
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  moment timestamptz;
  share integer := capacity;
  place integer;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('connector_slot ' || wanted, 0));
  moment := clock_timestamp();
  IF EXISTS (SELECT FROM connector_waiting w
              WHERE w.connector = wanted AND w.tenant_id <> company AND w.until > moment) THEN
    SELECT greatest(1, capacity / (1 + count(DISTINCT o.tenant_id)::integer)) INTO share FROM (
      SELECT w.tenant_id FROM connector_waiting w WHERE w.connector = wanted AND w.until > moment
      UNION ALL
      SELECT s.tenant_id FROM connector_slot s WHERE s.connector = wanted AND s.until > moment
    ) o WHERE o.tenant_id <> company;
  END IF;
  IF share > (SELECT count(*) FROM connector_slot s WHERE s.connector = wanted
                AND s.tenant_id = company AND s.until > moment) THEN
    SELECT p.n INTO place FROM generate_series(1, capacity) p (n)
     WHERE NOT EXISTS (SELECT FROM connector_slot s
                        WHERE s.connector = wanted AND s.n = p.n AND s.until > moment)
     ORDER BY p.n LIMIT 1;
  END IF;
  IF place IS NULL THEN
    INSERT INTO connector_waiting AS w (connector, tenant_id, until)
    VALUES (wanted, company, moment + patience)
    ON CONFLICT (connector, tenant_id) DO UPDATE SET until = excluded.until
     WHERE w.until < moment + patience / 2;
    RETURN NULL;
  END IF;
  INSERT INTO connector_slot (connector, n, holder_token, tenant_id, until)
  VALUES (wanted, place, token, company, moment + lease)
  ON CONFLICT (connector, n) DO UPDATE
    SET holder_token = excluded.holder_token, tenant_id = excluded.tenant_id,
        until = excluded.until;
  RETURN place;
END
$$
"""
SIGNATURE = "take_slot(text, integer, uuid, uuid, interval, interval)"


class Migration(migrations.Migration):
    initial = True
    dependencies: list[tuple[str, str]] = []

    operations = [
        migrations.CreateModel(
            name="Breaker",
            fields=[
                ("connector", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("state", models.CharField(db_default="closed", max_length=8)),
                ("failures", models.PositiveIntegerField(db_default=0)),
                ("opened_at", models.DateTimeField(null=True)),
                ("probe_token", models.UUIDField(null=True)),
                ("probe_until", models.DateTimeField(null=True)),
                ("updated_at", models.DateTimeField(db_default=Now())),
            ],
            options={
                "db_table": "connector_breaker",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("opened_at", None), ("state", "closed")),
                            models.Q(("opened_at__isnull", False), ("state", "open")),
                            _connector="OR",
                        ),
                        name="connector_breaker_state",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Slot",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "connector", "n", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("connector", models.CharField(max_length=40)),
                ("n", models.PositiveSmallIntegerField()),
                ("holder_token", models.UUIDField(null=True)),
                ("until", models.DateTimeField(null=True)),
                ("tenant_id", models.UUIDField(null=True)),
            ],
            options={"db_table": "connector_slot"},
        ),
        migrations.CreateModel(
            name="Waiting",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "connector",
                        "tenant_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("connector", models.CharField(max_length=40)),
                ("tenant_id", models.UUIDField()),
                ("until", models.DateTimeField()),
            ],
            options={"db_table": "connector_waiting"},
        ),
        migrations.RunSQL(
            f"GRANT SELECT, INSERT, UPDATE ON {GLOBAL_TABLES} TO opspilot_app",
            migrations.RunSQL.noop,
        ),
        # No disk is waited for: what a crash of the server empties were calls nobody can count by then.
        migrations.RunSQL(
            "ALTER TABLE connector_slot SET UNLOGGED;\nALTER TABLE connector_waiting SET UNLOGGED",
            migrations.RunSQL.noop,
        ),
        migrations.RunSQL(
            f"{TAKE_SLOT};\nREVOKE ALL ON FUNCTION {SIGNATURE} FROM PUBLIC;\n"
            f"GRANT EXECUTE ON FUNCTION {SIGNATURE} TO opspilot_app",
            f"DROP FUNCTION {SIGNATURE}",
        ),
    ]
