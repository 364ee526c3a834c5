-- audit/sql/restored_rows.sql — Lines of an archive as rows of the trail again: how many there are,
-- how many keep every field as a row, and how many still give the hash they carry.
-- Answers: whether an archive can be restored. Reads no table.
SELECT count(*),
       count(*) FILTER (WHERE to_jsonb(jsonb_populate_record(NULL::agente_acao, l.line)) @> l.line),
       count(*) FILTER (WHERE '\x' || encode(
         sha256(convert_to((l.line - 'linha_hash')::text, 'UTF8')), 'hex') = l.line ->> 'linha_hash'),
       count(*) FILTER (WHERE l.line ->> 'tenant_id' = %(tenant_id)s)
  FROM unnest(%(lines)s::jsonb[]) AS l (line)
