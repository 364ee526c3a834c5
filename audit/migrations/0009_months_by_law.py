"""The months of the trail by the catalogue: made, mended, judged, detached and dropped by functions
that only the maintenance role may execute."""

from __future__ import annotations

import importlib

from django.db import migrations

from opspilot.tenancy.schema import DEFINER, definer_function

# pg_get_expr prints bounds in the session's zone with its offset, so reading them back is exact.
VIEWS = r"""
CREATE VIEW trail_month AS
SELECT c.oid, c.relname AS name, i.inhdetachpending AS pending,
       (regexp_match(b.bound, 'FROM \(''([^'']+)''\)'))[1]::timestamptz AS from_at,
       (regexp_match(b.bound, 'TO \(''([^'']+)''\)'))[1]::timestamptz AS until_at
  FROM pg_inherits i
  JOIN pg_class c ON c.oid = i.inhrelid
 CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) b
 WHERE i.inhparent = 'public.agente_acao'::regclass;
COMMENT ON VIEW trail_month IS 'The months attached to the trail, by the catalogue.';

-- A table of the trail's owner that carries a month's CHECK and belongs to nothing: left by a crash,
-- by hand, or by an expiry that was interrupted.
CREATE VIEW trail_month_apart AS
SELECT c.oid, c.relname AS name,
       (regexp_match(k.bound, '>= ''([^'']+)'''))[1]::timestamptz AS from_at,
       (regexp_match(k.bound, '< ''([^'']+)'''))[1]::timestamptz AS until_at
  FROM pg_class c
  JOIN (SELECT conrelid, pg_get_constraintdef(oid) AS bound FROM pg_constraint
         WHERE contype = 'c' AND conname = 'month') k ON k.conrelid = c.oid
 WHERE c.relkind = 'r' AND NOT c.relispartition
   AND c.relnamespace = 'public'::regnamespace
   AND c.relowner = (SELECT relowner FROM pg_class WHERE oid = 'public.agente_acao'::regclass);
COMMENT ON VIEW trail_month_apart IS 'Tables built as a month of the trail and attached to nothing.';
GRANT SELECT ON trail_month, trail_month_apart
   TO opspilot_app, opspilot_reader, opspilot_maintenance;
"""
NO_VIEWS = "DROP VIEW trail_month_apart; DROP VIEW trail_month"

# Which columns of the trail the judgement needs, and no more.
SEEN = f"""
CREATE POLICY months ON agente_acao FOR SELECT TO {DEFINER} USING (true);
GRANT SELECT (tenant_id, id, ocorrido_em, correlacao_id, entidade_tipo, entidade_id)
   ON agente_acao TO {DEFINER};
CREATE POLICY months ON entity FOR SELECT TO {DEFINER} USING (true);
GRANT SELECT (tenant_id, id, ref) ON entity TO {DEFINER};
CREATE POLICY months ON entity_event FOR SELECT TO {DEFINER} USING (true);
GRANT SELECT (tenant_id, entity_id, into_id, kind) ON entity_event TO {DEFINER};
"""
UNSEEN = f"""
DROP POLICY months ON entity_event;
REVOKE SELECT (tenant_id, entity_id, into_id, kind) ON entity_event FROM {DEFINER};
DROP POLICY months ON entity;
REVOKE SELECT (tenant_id, id, ref) ON entity FROM {DEFINER};
DROP POLICY months ON agente_acao;
REVOKE SELECT (tenant_id, id, ocorrido_em, correlacao_id, entidade_tipo, entidade_id)
    ON agente_acao FROM {DEFINER};
"""  # noqa: S608 - the definer's name is ours

EXPIRED = """CREATE FUNCTION trail_month_expired(wanted date) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM trail_expiry WHERE month = wanted)
$$"""

# A detached month cannot be asked whose rows it holds: any hold of its companies, placed since the
# ledger told of it, keeps it from being dropped.
HELD_SINCE = """CREATE FUNCTION month_held_since(wanted date) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM trail_expiry x
      JOIN legal_hold h ON h.tenant_id = x.tenant_id AND h.since > x.recorded_at
     WHERE x.month = wanted
       AND NOT EXISTS (SELECT FROM legal_hold_lift l
                        WHERE l.tenant_id = h.tenant_id AND l.hold_id = h.id))
$$"""

# The internal ids that were ever joined with this one, also where they were parted again: a hold keeps
# too much rather than too little.
JOINED = """CREATE FUNCTION joined_entities(company uuid, wanted text) RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH RECURSIVE same (id) AS (
    SELECT e.id FROM entity e WHERE e.tenant_id = company AND e.ref::text = wanted
    UNION
    SELECT CASE v.entity_id WHEN s.id THEN v.into_id ELSE v.entity_id END
      FROM same s JOIN entity_event v ON v.tenant_id = company AND v.kind = 'unida'
       AND s.id IN (v.entity_id, v.into_id)
  )
  SELECT e.ref::text FROM same s JOIN entity e ON e.tenant_id = company AND e.id = s.id
$$"""

# One line per company with rows there: how many, until when its own retention keeps them (null: for
# ever), whether a hold covers one of them, and whether the ledger tells of exactly these rows. Rows
# are counted only where the company's retention is over; else the numbers are null.
STANDING = """CREATE FUNCTION trail_month_standing(wanted date) RETURNS TABLE (
  tenant_id uuid, keep_until timestamptz, held boolean, rows bigint, first_row bigint,
  last_row bigint, in_ledger boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
#variable_conflict use_column
DECLARE
  lower_bound timestamptz := date_trunc('month', wanted)::timestamptz;
  upper_bound timestamptz := (date_trunc('month', wanted) + interval '1 month')::timestamptz;
BEGIN
  FOR tenant_id IN SELECT t.id FROM tenant t WHERE EXISTS (
      SELECT FROM agente_acao a WHERE a.tenant_id = t.id
         AND a.ocorrido_em >= lower_bound AND a.ocorrido_em < upper_bound) ORDER BY t.id
  LOOP
    rows := NULL; first_row := NULL; last_row := NULL; in_ledger := NULL;
    SELECT upper_bound + make_interval(months => r.months) INTO keep_until
      FROM trail_retention_activation v
      JOIN trail_retention r ON r.tenant_id = v.tenant_id AND r.id = v.retention_id
     WHERE v.tenant_id = trail_month_standing.tenant_id ORDER BY v.id DESC LIMIT 1;
    SELECT EXISTS (SELECT FROM legal_hold h
       WHERE h.tenant_id = trail_month_standing.tenant_id
         AND NOT EXISTS (SELECT FROM legal_hold_lift l
                          WHERE l.tenant_id = h.tenant_id AND l.hold_id = h.id)
         AND (h.entity_ref = '' OR EXISTS (
           SELECT FROM agente_acao a
            WHERE a.tenant_id = h.tenant_id
              AND a.ocorrido_em >= lower_bound AND a.ocorrido_em < upper_bound
              AND a.correlacao_id IN (
                SELECT e.correlacao_id FROM agente_acao e
                 WHERE e.tenant_id = h.tenant_id AND e.entidade_tipo = h.entity_type
                   AND e.entidade_id IN (SELECT h.entity_ref UNION
                                         SELECT joined_entities(h.tenant_id, h.entity_ref)))))
    ) INTO held;
    IF keep_until <= clock_timestamp() THEN
      SELECT count(*), min(a.id), max(a.id) INTO rows, first_row, last_row FROM agente_acao a
       WHERE a.tenant_id = trail_month_standing.tenant_id
         AND a.ocorrido_em >= lower_bound AND a.ocorrido_em < upper_bound;
      SELECT EXISTS (SELECT FROM trail_expiry x
         WHERE x.tenant_id = trail_month_standing.tenant_id AND x.month = lower_bound::date
           AND (x.rows, x.first_row, x.last_row) = (trail_month_standing.rows,
                trail_month_standing.first_row, trail_month_standing.last_row)) INTO in_ledger;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$"""

_OWNED = """
CREATE FUNCTION trail_columns(child oid) RETURNS text LANGUAGE sql STABLE
SET search_path = public, pg_temp AS $$
  SELECT string_agg(attname || ' ' || atttypid::regtype || ' ' || attnotnull, ', ' ORDER BY attname)
    FROM pg_attribute WHERE attrelid = child AND attnum > 0 AND NOT attisdropped
$$;

-- Creates one UTC month: built apart, checked, then attached, so a running write is never blocked
-- for longer than the attach. A month that stands apart is attached again; one that the ledger says
-- went is not made anew. True when the month is new.
CREATE OR REPLACE FUNCTION create_trail_month(month date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '5s' AS $$
DECLARE
  lower_bound timestamptz := date_trunc('month', month)::timestamptz;
  upper_bound timestamptz := (date_trunc('month', month) + interval '1 month')::timestamptz;
  child text := 'agente_acao_' || to_char(month, 'YYYY_MM');
  found record;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('create_trail_month'));
  IF EXISTS (SELECT FROM trail_month m WHERE m.from_at < upper_bound AND m.until_at > lower_bound)
     OR trail_month_expired(lower_bound::date) THEN
    RETURN false;
  END IF;
  SELECT a.oid, a.name INTO found FROM trail_month_apart a
   WHERE a.from_at = lower_bound AND a.until_at = upper_bound ORDER BY a.oid LIMIT 1;
  IF found.oid IS NOT NULL THEN
    IF trail_columns(found.oid) = trail_columns('agente_acao'::regclass) THEN
      child := found.name;
    ELSE
      PERFORM drop_if_empty(found.name);
      found.oid := NULL;
    END IF;
  END IF;
  IF found.oid IS NULL THEN
    WHILE to_regclass(quote_ident(child)) IS NOT NULL LOOP
      child := child || '_';
    END LOOP;
    EXECUTE format('CREATE TABLE %I (LIKE agente_acao INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', child);
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT month CHECK (ocorrido_em >= %L AND ocorrido_em < %L)',
                   child, lower_bound, upper_bound);
  END IF;
  PERFORM mend_trail_table(to_regclass(quote_ident(child)));
  EXECUTE format('ALTER TABLE agente_acao ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                 child, lower_bound, upper_bound);
  RETURN true;
END $$;

CREATE FUNCTION drop_if_empty(child text) RETURNS void LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  filled boolean;
BEGIN
  -- Forced row security would show the owner nothing; a table that is not attached has no readers.
  EXECUTE format('ALTER TABLE %I DISABLE ROW LEVEL SECURITY', child);
  EXECUTE format('SELECT EXISTS (SELECT FROM %I)', child) INTO filled;
  IF filled THEN
    RAISE EXCEPTION 'table % holds rows of the trail and has other columns than it', child
      USING ERRCODE = 'OP002';
  END IF;
  EXECUTE format('DROP TABLE %I', child);
END $$;

-- Gives a month what the law of the trail asks of it and it lost; says what it gave.
CREATE FUNCTION mend_trail_table(child regclass) RETURNS text[] LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  given text[] := '{}';
  one record;
BEGIN
  IF NOT (SELECT relrowsecurity AND relforcerowsecurity FROM pg_class WHERE oid = child) THEN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', child);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', child);
    given := given || 'row security'::text;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_trigger
                  WHERE tgrelid = child AND tgname = 'append_only_truncate') THEN
    EXECUTE format('CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON %s '
                   'FOR EACH STATEMENT EXECUTE FUNCTION append_only()', child);
    given := given || 'truncate trigger'::text;
  END IF;
  FOR one IN SELECT tgname FROM pg_trigger
              WHERE tgrelid = child AND NOT tgisinternal AND tgenabled <> 'O' LOOP
    EXECUTE format('ALTER TABLE %s ENABLE TRIGGER %I', child, one.tgname);
    given := given || ('trigger ' || one.tgname);
  END LOOP;
  FOR one IN SELECT DISTINCT CASE WHEN a.grantee = 0 THEN 'PUBLIC'
                                  ELSE quote_ident(pg_get_userbyid(a.grantee)) END AS grantee
               FROM pg_class c, aclexplode(c.relacl) a
              WHERE c.oid = child AND a.grantee <> c.relowner LOOP
    EXECUTE format('REVOKE ALL ON %s FROM %s', child, one.grantee);
    given := given || ('no grant to ' || one.grantee);
  END LOOP;
  RETURN given;
END $$;

-- The same for every month attached, and an end for a detach that was interrupted. The lock is waited
-- for a few milliseconds only: who calls tries again.
CREATE FUNCTION mend_trail_months() RETURNS text[] LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '20ms' AS $$
DECLARE
  given text[] := '{}';
  one record;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('create_trail_month'));
  FOR one IN SELECT oid, name, pending FROM trail_month ORDER BY from_at LOOP
    IF one.pending THEN
      EXECUTE format('ALTER TABLE agente_acao DETACH PARTITION %I FINALIZE', one.name);
      given := given || (one.name || ': detach finished');
    ELSE
      given := given || ARRAY(SELECT one.name || ': ' || g
                                FROM unnest(mend_trail_table(one.oid::regclass)) g);
    END IF;
  END LOOP;
  RETURN given;
END $$;

-- Takes a month that may go out of the trail. A plain DETACH stops writers while it waits, so it waits
-- a few milliseconds and gives up: who calls tries again. Refused unless every company with rows there
-- is past its own retention, free of holds and told of, row by row, by the ledger.
CREATE FUNCTION detach_trail_month(month date) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '20ms' AS $$
DECLARE
  lower_bound timestamptz := date_trunc('month', month)::timestamptz;
  upper_bound timestamptz := (date_trunc('month', month) + interval '1 month')::timestamptz;
  child text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('create_trail_month'));
  SELECT m.name INTO child FROM trail_month m
   WHERE m.from_at = lower_bound AND m.until_at = upper_bound AND NOT m.pending;
  IF child IS NULL THEN
    RETURN false;
  END IF;
  IF upper_bound > clock_timestamp() OR EXISTS (
       SELECT FROM trail_month_standing(lower_bound::date) s
        WHERE s.keep_until IS NULL OR s.keep_until > clock_timestamp() OR s.held
           OR s.in_ledger IS NOT TRUE) THEN
    RAISE EXCEPTION 'month % may not go', to_char(month, 'YYYY-MM') USING ERRCODE = 'OP002';
  END IF;
  EXECUTE format('ALTER TABLE agente_acao DETACH PARTITION %I', child);
  RETURN true;
END $$;

-- Drops a month that was detached and that the ledger tells of. Its foreign key makes the drop take
-- a lock on the companies' table: waited for as above.
CREATE FUNCTION drop_trail_month(month date) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '20ms' AS $$
DECLARE
  lower_bound timestamptz := date_trunc('month', month)::timestamptz;
  upper_bound timestamptz := (date_trunc('month', month) + interval '1 month')::timestamptz;
  child text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('create_trail_month'));
  SELECT a.name INTO child FROM trail_month_apart a
   WHERE a.from_at = lower_bound AND a.until_at = upper_bound;
  IF child IS NULL THEN
    RETURN false;
  END IF;
  IF NOT trail_month_expired(lower_bound::date) THEN
    RAISE EXCEPTION 'the ledger does not tell of month %', to_char(month, 'YYYY-MM')
      USING ERRCODE = 'OP002';
  END IF;
  IF month_held_since(lower_bound::date) THEN
    RAISE EXCEPTION 'month % may not go: a hold began after the ledger told of it',
      to_char(month, 'YYYY-MM') USING ERRCODE = 'OP002';
  END IF;
  EXECUTE format('DROP TABLE %I', child);
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION trail_columns(oid), drop_if_empty(text), mend_trail_table(regclass),
  mend_trail_months(), detach_trail_month(date), drop_trail_month(date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mend_trail_months(), detach_trail_month(date), drop_trail_month(date)
   TO opspilot_maintenance;
"""

# As migration 0002 made it.
_TRAIL = importlib.import_module("audit.migrations.0002_trail").TRAIL
_FIRST = (
    "CREATE OR REPLACE"
    + _TRAIL[
        _TRAIL.index(" FUNCTION create_trail_month") : _TRAIL.index(
            "REVOKE ALL ON FUNCTION create_"
        )
    ]
)
NOT_OWNED = (
    _FIRST
    + """
DROP FUNCTION drop_trail_month(date);
DROP FUNCTION detach_trail_month(date);
DROP FUNCTION mend_trail_months();
DROP FUNCTION mend_trail_table(regclass);
DROP FUNCTION drop_if_empty(text);
DROP FUNCTION trail_columns(oid)
"""
)


class Migration(migrations.Migration):
    dependencies = [("audit", "0008_guard")]

    operations = [
        migrations.RunSQL(VIEWS, NO_VIEWS),
        migrations.RunSQL(SEEN, UNSEEN),
        definer_function(
            EXPIRED,
            name="trail_month_expired(date)",
            execute="opspilot_maintenance, opspilot_owner",
        ),
        definer_function(HELD_SINCE, name="month_held_since(date)", execute="opspilot_owner"),
        definer_function(JOINED, name="joined_entities(uuid, text)", execute="opspilot_definer"),
        definer_function(
            STANDING,
            name="trail_month_standing(date)",
            execute="opspilot_maintenance, opspilot_owner",
        ),
        migrations.RunSQL(_OWNED, NOT_OWNED),
    ]
