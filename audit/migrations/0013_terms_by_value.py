"""A company's own words are masked value by value: no row fails, and none leaks by its spaces."""

from __future__ import annotations

from django.db import migrations

# JSON is walked, never read as text: an escape (`\n`) in front of a word is no letter of it, and
# what comes back is JSON whatever the word is. Words in a term may have any space between them, also
# those that `\s` has none of in some locales. Deeper than any source is, a value is masked as a text.
WALK = r"""
CREATE OR REPLACE FUNCTION termos_mascarados(given text, shape text) RETURNS text
LANGUAGE plpgsql IMMUTABLE SET search_path = public, pg_temp AS $$
DECLARE
  whole text := normalize(given, NFC);
BEGIN
  RETURN CASE WHEN whole ~* shape THEN regexp_replace(whole, shape, '[termo]', 'gi') ELSE given END;
END $$;
CREATE OR REPLACE FUNCTION termos_mascarados(given jsonb, shape text, depth integer) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE SET search_path = public, pg_temp AS $$
BEGIN
  CASE jsonb_typeof(given)
    WHEN 'string' THEN
      RETURN to_jsonb(termos_mascarados(given #>> '{}', shape));
    WHEN 'array', 'object' THEN
      IF depth = 0 THEN
        RETURN to_jsonb(termos_mascarados(regexp_replace(given::text, '\\[a-z]', ' ', 'g'), shape));
      ELSIF jsonb_typeof(given) = 'array' THEN
        RETURN (SELECT coalesce(jsonb_agg(termos_mascarados(item, shape, depth - 1) ORDER BY place),
                                '[]')
                FROM jsonb_array_elements(given) WITH ORDINALITY AS told (item, place));
      END IF;
      RETURN (SELECT coalesce(jsonb_object_agg(termos_mascarados(key, shape),
                                               termos_mascarados(value, shape, depth - 1)), '{}')
              FROM jsonb_each(given));
    ELSE
      RETURN given;
  END CASE;
END $$;
"""
TERMS = r"""
CREATE OR REPLACE FUNCTION agente_acao_termos() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  gap CONSTANT text := '[\s\u00a0\u1680\u2000-\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]+';
  shape text;
  told jsonb;
  masked jsonb;
BEGIN
  SELECT '(?<!\w)(?:' || string_agg(
           replace(regexp_replace(normalize(term, NFC), '([.^$*+?()[{\\|])', '\\\1', 'g'), ' ', gap),
           '|' ORDER BY length(term) DESC) || ')(?!\w)'
    INTO shape FROM guard_term WHERE tenant_id = NEW.tenant_id AND ended_at IS NULL;
  IF shape IS NULL THEN
    RETURN NEW;
  END IF;
  told := jsonb_build_object(
    'entrada_resumo', NEW.entrada_resumo, 'saida_resumo', NEW.saida_resumo, 'erro', NEW.erro,
    'reversao_ref', NEW.reversao_ref, 'fontes', NEW.fontes);
  masked := (SELECT jsonb_object_agg(key, termos_mascarados(value, shape, 20)) FROM jsonb_each(told));
  INSERT INTO masking_count (tenant_id, trail_row, field, kind, count)
  SELECT NEW.tenant_id, NEW.id, key, 'termo',
         least(32767, greatest(1, regexp_count(value::text, '\[termo\]')
                                  - regexp_count((told -> key)::text, '\[termo\]')))
  FROM jsonb_each(masked) WHERE value <> told -> key;
  NEW.entrada_resumo := masked ->> 'entrada_resumo';
  NEW.saida_resumo := masked ->> 'saida_resumo';
  NEW.erro := masked ->> 'erro';
  NEW.reversao_ref := masked ->> 'reversao_ref';
  NEW.fontes := masked -> 'fontes';
  RETURN NEW;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0012_model_prices")]

    # Taken back, the functions stay as they are here: older code works with them too.
    operations = [
        migrations.RunSQL(WALK + TERMS, migrations.RunSQL.noop),
    ]
