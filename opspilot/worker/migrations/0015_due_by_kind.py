"""Each kind's look is planned alone, once a connection, and an effect's reads no long queue.

Until here one statement held the looks of all kinds, and was planned anew at every call: that cost
more than to read what it found. What each kind looks for stays as it was. Of effects, each company
shows its first rows only, found in an index; a flood of a thousand is not read to give one.

What adds a kind after this one takes LOOKS, and replaces the function by `written(LOOKS | {…})`.
"""

from __future__ import annotations

import importlib
import re

from django.db import migrations

LISTS = importlib.import_module("opspilot.worker.migrations.0002_due_lists")
BEFORE: str = importlib.import_module("opspilot.worker.migrations.0014_due_sources").DUE_WORK

# Turns between companies, as 0006 has them.
EXECUTION = """
      WITH RECURSIVE queued (company) AS (
        (SELECT e.tenant_id FROM execution e WHERE e.state = 'retida'
          ORDER BY e.tenant_id LIMIT 1)
        UNION ALL
        SELECT (SELECT e.tenant_id FROM execution e
                 WHERE e.state = 'retida' AND e.tenant_id > q.company
                 ORDER BY e.tenant_id LIMIT 1)
          FROM queued q WHERE q.company IS NOT NULL
      ), due AS MATERIALIZED (
        SELECT r.tenant_id, r.id FROM queued q CROSS JOIN LATERAL (
          SELECT e.tenant_id, e.id FROM execution e
           WHERE e.tenant_id = q.company AND e.state = 'retida'
             AND e.not_before <= clock_timestamp()
           ORDER BY e.id LIMIT maximum) r
        UNION
        SELECT e.tenant_id, e.id FROM execution e
         WHERE e.state = 'em_envio' AND e.lease_until < clock_timestamp()
        UNION
        SELECT e.tenant_id, e.id FROM execution e
         WHERE e.state IN ('desconhecida', 'em_envio', 'concluida', 'revertida')
           AND e.next_lookup_at <= clock_timestamp()
           AND (e.lease_until IS NULL OR e.lease_until < clock_timestamp())
      ), served AS MATERIALIZED (
        SELECT t.tenant_id, (SELECT max(e.updated_at) FROM execution e
                              WHERE e.tenant_id = t.tenant_id AND e.state <> 'retida') AS at
          FROM (SELECT DISTINCT due.tenant_id FROM due) t
      )
      SELECT d.tenant_id, d.id FROM due d LEFT JOIN served s ON s.tenant_id = d.tenant_id
       ORDER BY s.at NULLS FIRST, row_number() OVER (PARTITION BY d.tenant_id ORDER BY d.id), d.id
       LIMIT maximum"""
# Of each company the first rows, then the second ones.
OTHERS = """
      SELECT d.tenant_id, d.id FROM (
{look}
      ) d ORDER BY row_number() OVER (PARTITION BY d.tenant_id ORDER BY d.id), d.id
       LIMIT maximum"""
INDEXES = (
    (
        "CREATE INDEX execution_turns ON execution (tenant_id, id) WHERE state = 'retida'",
        "DROP INDEX execution_turns",
    ),
    (
        "CREATE INDEX execution_in_hand ON execution (lease_until) WHERE state = 'em_envio'",
        "DROP INDEX execution_in_hand",
    ),
)


def looks_of(create: str) -> dict[str, str]:
    """By kind, what the one statement of before had for it."""
    held = create.partition("WITH due AS MATERIALIZED (\n")[2].partition("\n  ), served AS")[0]
    found: dict[str, list[str]] = {}
    for look in held.split("\n    UNION ALL\n"):
        kinds = set(re.findall(r"due_work\.kind = '(\w+)'", look))
        (kind,) = kinds
        found.setdefault(kind, []).append(look)
    return {kind: "\n    UNION ALL\n".join(looks) for kind, looks in found.items()}


def written(looks: dict[str, str]) -> str:
    """The function of these looks; of a kind that has none it finds nothing."""
    others = {kind: OTHERS.format(look=look) for kind, look in looks.items()}
    cases = "".join(
        f"\n    WHEN '{kind}' THEN RETURN QUERY{look};"
        for kind, look in (others | {"execution": EXECUTION}).items()
    )
    return f"""
CREATE FUNCTION due_work(kind text, maximum integer) RETURNS TABLE (tenant_id uuid, id bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  CASE due_work.kind{cases}
    ELSE RETURN;
  END CASE;
END
$$
"""


LOOKS = looks_of(BEFORE)


class Migration(migrations.Migration):
    dependencies = [("worker", "0014_due_sources")]

    operations = [
        *(migrations.RunSQL(made, dropped) for made, dropped in INDEXES),
        migrations.RunSQL(LISTS.replaced(written(LOOKS)), LISTS.replaced(BEFORE)),
    ]
