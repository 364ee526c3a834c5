"""What the runtime role may not forge: seals and checks ahead of the clock, a ledger of months that
are not over; and what the database asks before it lets a month go."""

from __future__ import annotations

import importlib

from django.db import migrations, models
from django.db.models import F, Q

from opspilot.tenancy.schema import DEFINER, as_definer, definer_function

# In the writer's own rights: row security shows it its company, which is the only one it may write.
CLOCK = """
CREATE FUNCTION seal_follows() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  before trail_seal;
BEGIN
  SELECT * INTO before FROM trail_seal
   WHERE tenant_id = NEW.tenant_id ORDER BY number DESC LIMIT 1;
  IF NEW.sealed_at > clock_timestamp() + interval '1 minute' THEN
    RAISE EXCEPTION 'a seal is not made ahead of the clock' USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.number <> coalesce(before.number, 0) + 1 OR (before.id IS NOT NULL
       AND (NEW.from_at, NEW.previous) IS DISTINCT FROM (before.until_at, before.hash)) THEN
    RAISE EXCEPTION 'a seal follows the one before it' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER follows BEFORE INSERT ON trail_seal
  FOR EACH ROW EXECUTE FUNCTION seal_follows();

CREATE FUNCTION check_is_over() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF greatest(NEW.from_at, NEW.until_at, NEW.at) > clock_timestamp() + interval '1 minute' THEN
    RAISE EXCEPTION 'what is checked lies before now' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER is_over BEFORE INSERT ON trail_verification
  FOR EACH ROW EXECUTE FUNCTION check_is_over();

CREATE FUNCTION expiry_is_now() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.recorded_at > clock_timestamp() + interval '1 minute' THEN
    RAISE EXCEPTION 'the ledger is not written ahead of the clock' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER is_now BEFORE INSERT ON trail_expiry
  FOR EACH ROW EXECUTE FUNCTION expiry_is_now();
ALTER TABLE trail_expiry ADD CONSTRAINT trail_expiry_month CHECK (
  extract(day FROM month) = 1
  AND from_at = (month::timestamp AT TIME ZONE 'UTC')
  AND until_at = ((month + interval '1 month') AT TIME ZONE 'UTC'));
ALTER TABLE trail_key ADD CONSTRAINT trail_key_named CHECK (
  fingerprint = encode(sha256(decode(public_key, 'hex')), 'hex'));

-- A hold is placed beside others, and never beside a month that is being judged and taken out.
CREATE FUNCTION hold_waits() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('legal_hold'));
  RETURN NEW;
END $$;
CREATE TRIGGER waits BEFORE INSERT ON legal_hold
  FOR EACH ROW EXECUTE FUNCTION hold_waits();
"""
NO_CLOCK = """
DROP TRIGGER waits ON legal_hold;
DROP FUNCTION hold_waits();
ALTER TABLE trail_key DROP CONSTRAINT trail_key_named;
ALTER TABLE trail_expiry DROP CONSTRAINT trail_expiry_month;
DROP TRIGGER is_now ON trail_expiry;
DROP FUNCTION expiry_is_now();
DROP TRIGGER is_over ON trail_verification;
DROP FUNCTION check_is_over();
DROP TRIGGER follows ON trail_seal;
DROP FUNCTION seal_follows()
"""

SEEN = f"""
CREATE POLICY definer ON trail_seal FOR SELECT TO {DEFINER} USING (true);
GRANT SELECT (tenant_id, number, until_at, rows, hash) ON trail_seal TO {DEFINER};
CREATE POLICY definer ON membership_change FOR SELECT TO {DEFINER} USING (true);
GRANT SELECT (tenant_id, subject, roles) ON membership_change TO {DEFINER};
"""
UNSEEN = f"""
DROP POLICY definer ON membership_change;
REVOKE SELECT (tenant_id, subject, roles) ON membership_change FROM {DEFINER};
DROP POLICY definer ON trail_seal;
REVOKE SELECT (tenant_id, number, until_at, rows, hash) ON trail_seal FROM {DEFINER};
"""  # noqa: S608 - the definer's name is ours

# A month that runs or is still to come has not gone, whatever a line says.
EXPIRED = """CREATE OR REPLACE FUNCTION trail_month_expired(wanted date) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT ((wanted + interval '1 month') AT TIME ZONE 'UTC') <= clock_timestamp()
     AND EXISTS (SELECT FROM trail_expiry WHERE month = wanted)
$$"""

# The tree of audit/seal/merkle.py: a node without a neighbour goes up as it is.
MERKLE = r"""CREATE FUNCTION merkle_root(leaves bytea[]) RETURNS text LANGUAGE plpgsql IMMUTABLE
SET search_path = public, pg_temp AS $$
DECLARE
  nodes bytea[] := ARRAY(SELECT sha256('\x00'::bytea || leaf)
                           FROM unnest(leaves) WITH ORDINALITY u (leaf, place) ORDER BY place);
  above bytea[];
BEGIN
  WHILE cardinality(nodes) > 1 LOOP
    above := '{}';
    FOR i IN 1..cardinality(nodes) BY 2 LOOP
      above := array_append(above, CASE WHEN i = cardinality(nodes) THEN nodes[i]
                                        ELSE sha256('\x01'::bytea || nodes[i] || nodes[i + 1]) END);
    END LOOP;
    nodes := above;
  END LOOP;
  RETURN encode(coalesce(nodes[1], sha256(''::bytea)), 'hex');
END $$"""

# Whether the ledger tells of exactly these rows of the company's month, and its seals say the same.
TOLD = """CREATE FUNCTION month_is_told(
  company uuid, wanted date, count bigint, first bigint, last bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM trail_expiry x CROSS JOIN LATERAL (
      SELECT sum(s.rows) AS rows, array_agg(decode(s.hash, 'hex') ORDER BY s.number) AS leaves
        FROM trail_seal s
       WHERE s.tenant_id = x.tenant_id AND s.until_at > x.from_at AND s.until_at <= x.until_at) s
     WHERE x.tenant_id = company AND x.month = wanted
       AND (x.rows, x.first_row, x.last_row) = ($3, $4, $5)
       AND s.rows = x.rows AND merkle_root(s.leaves) = x.root)
$$"""

# Why a detached month may not be dropped; null when it may. Its rows are asked themselves: a hold of
# whatever time counts when it covers one of them.
APART = """CREATE FUNCTION month_kept_apart(child regclass, wanted date) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  one record;
  held boolean;
BEGIN
  FOR one IN EXECUTE format(
    'SELECT tenant_id, count(*) AS rows, min(id) AS first, max(id) AS last FROM %s GROUP BY 1', child)
  LOOP
    IF NOT month_is_told(one.tenant_id, wanted, one.rows, one.first, one.last) THEN
      RETURN 'the ledger and the seals do not tell of its rows';
    END IF;
  END LOOP;
  EXECUTE format($held$
    SELECT EXISTS (SELECT FROM legal_hold h
     WHERE NOT EXISTS (SELECT FROM legal_hold_lift l
                        WHERE l.tenant_id = h.tenant_id AND l.hold_id = h.id)
       AND EXISTS (SELECT FROM %1$s c
            WHERE c.tenant_id = h.tenant_id AND (h.entity_ref = '' OR c.correlacao_id IN (
              SELECT e.correlacao_id FROM (
                SELECT tenant_id, correlacao_id, entidade_tipo, entidade_id FROM agente_acao
                 UNION ALL
                SELECT tenant_id, correlacao_id, entidade_tipo, entidade_id FROM %1$s) e
               WHERE e.tenant_id = h.tenant_id AND e.entidade_tipo = h.entity_type
                 AND e.entidade_id IN (SELECT h.entity_ref UNION
                                       SELECT joined_entities(h.tenant_id, h.entity_ref))))))
  $held$, child) INTO held;
  RETURN CASE WHEN held THEN 'a legal hold covers rows of it' END;
END $$"""  # noqa: S608 - the table's name comes from the catalogue

_LAW = importlib.import_module("audit.migrations.0009_months_by_law")
_KEPT = """    SELECT upper_bound + make_interval(months => r.months) INTO keep_until
"""
# Both who put the rule in force are, or were, admins of the company: else it is no rule.
_KEPT_BY_ADMINS = """    SELECT CASE WHEN (
        SELECT count(DISTINCT m.subject) = 2 FROM membership_change m
         WHERE m.tenant_id = v.tenant_id AND m.subject IN (r.author, v.admin)
           AND 'admin' = ANY (m.roles))
      THEN upper_bound + make_interval(months => r.months) END INTO keep_until
"""
_COMPARED = _LAW.STANDING[
    _LAW.STANDING.index("      SELECT EXISTS (SELECT FROM trail_expiry") : _LAW.STANDING.index(
        "    END IF;\n    RETURN NEXT"
    )
]
_COMPARED_WITH_SEALS = """      in_ledger := month_is_told(trail_month_standing.tenant_id, lower_bound::date,
        trail_month_standing.rows, trail_month_standing.first_row, trail_month_standing.last_row);
"""
STANDING = (
    _LAW.STANDING.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
    .replace(_KEPT, _KEPT_BY_ADMINS)
    .replace(_COMPARED, _COMPARED_WITH_SEALS)
)


def _owned(name: str) -> str:
    """A function of the months' law as it stood."""
    start = _LAW._OWNED.index(f"CREATE FUNCTION {name}(")
    end = _LAW._OWNED.index("END $$;", start) + len("END $$;")
    return "CREATE OR REPLACE" + _LAW._OWNED[start + len("CREATE") : end]


_ALONE = "  PERFORM pg_advisory_xact_lock(hashtext('create_trail_month'));\n"
# The lock first: what is judged after it holds until the month is out.
_NO_HOLD_BEGINS = _ALONE + "  PERFORM pg_advisory_xact_lock(hashtext('legal_hold'));\n"
_HELD_SINCE = """  IF month_held_since(lower_bound::date) THEN
    RAISE EXCEPTION 'month % may not go: a hold began after the ledger told of it',
      to_char(month, 'YYYY-MM') USING ERRCODE = 'OP002';
  END IF;
"""
# Forced row security would show the owner nothing; a table that is not attached has no readers.
_HELD = f"""  EXECUTE format('ALTER TABLE %I DISABLE ROW LEVEL SECURITY', child);
  EXECUTE format('GRANT SELECT ON %I TO {DEFINER}', child);
  kept := month_kept_apart(to_regclass(quote_ident(child)), lower_bound::date);
  IF kept IS NOT NULL THEN
    RAISE EXCEPTION 'month % may not go: %', to_char(month, 'YYYY-MM'), kept
      USING ERRCODE = 'OP002';
  END IF;
"""
DETACH = _owned("detach_trail_month").replace(_ALONE, _NO_HOLD_BEGINS)
DROP = (
    _owned("drop_trail_month")
    .replace(_ALONE, _NO_HOLD_BEGINS)
    .replace("  child text;\n", "  child text;\n  kept text;\n")
    .replace(_HELD_SINCE, _HELD)
)


class Migration(migrations.Migration):
    dependencies = [("audit", "0013_terms_by_value"), ("tenancy", "0005_mail_notices")]

    operations = [
        migrations.AddField(
            "trailverification", "head_number", models.IntegerField(null=True)
        ),
        migrations.AddField(
            "trailverification",
            "head_hash",
            models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AlterField(
            "trailwatch",
            "fault",
            models.CharField(
                blank=True,
                choices=[
                    ("sem_chave", "No Key"),
                    ("chave_ilegivel", "Bad Key"),
                    ("gravacao_aberta", "Open Writer"),
                    ("selo_sem_prova", "Bad Seal"),
                ],
                db_default="",
                default="",
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            "trailseal",
            models.CheckConstraint(
                condition=Q(
                    ("from_at__lt", F("until_at")),
                    ("hash__regex", "^[0-9a-f]{64}$"),
                    ("number__gte", 1),
                    ("rows__gte", 1),
                    ("until_at__lte", F("sealed_at")),
                ),
                name="trail_seal_sane",
            ),
        ),
        migrations.RemoveConstraint("trailkey", "trail_key_once"),
        migrations.AddConstraint(
            "trailkey",
            models.UniqueConstraint(
                fields=("tenant", "fingerprint", "endorsed_by", "endorsement"),
                name="trail_key_once",
            ),
        ),
        migrations.AddConstraint(
            "trailexpiry",
            models.CheckConstraint(
                condition=Q(("until_at__lte", F("recorded_at"))), name="trail_expiry_over"
            ),
        ),
        migrations.RunSQL(CLOCK, NO_CLOCK),
        migrations.RunSQL(SEEN, UNSEEN),
        migrations.RunSQL(
            as_definer(EXPIRED),
            as_definer(_LAW.EXPIRED.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")),
        ),
        definer_function(MERKLE, name="merkle_root(bytea[])", execute=DEFINER),
        definer_function(
            TOLD, name="month_is_told(uuid, date, bigint, bigint, bigint)", execute=DEFINER
        ),
        definer_function(
            APART, name="month_kept_apart(regclass, date)", execute="opspilot_owner"
        ),
        migrations.RunSQL(
            as_definer(STANDING),
            as_definer(_LAW.STANDING.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")),
        ),
        migrations.RunSQL(
            f"{DETACH}\n{DROP}",
            f"{_owned('detach_trail_month')}\n{_owned('drop_trail_month')}",
        ),
        migrations.RunSQL(
            as_definer("DROP FUNCTION month_held_since(date)"),
            as_definer(
                f"{_LAW.HELD_SINCE};\n"
                "REVOKE ALL ON FUNCTION month_held_since(date) FROM PUBLIC;\n"
                "GRANT EXECUTE ON FUNCTION month_held_since(date) TO opspilot_owner"
            ),
        ),
    ]
