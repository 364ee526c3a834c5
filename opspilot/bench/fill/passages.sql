-- One company's documents of ten passages, with their postings: about sixty terms each out of twenty
-- thousand, the n-th term as rare as in a real text (Zipf). Run by the server's superuser with triggers
-- and foreign keys off; `setseed` has been called, so each run makes the same rows.
WITH shelf AS (
  INSERT INTO collection (tenant_id, slug, name) VALUES (%(tenant)s, 'medida', 'medida')
  RETURNING id
), documents AS (
  INSERT INTO document (tenant_id, ref, collection_id, name)
  SELECT %(tenant)s, gen_random_uuid(), shelf.id, 'runbook-' || n || '.md'
    FROM shelf, generate_series(1, ceil(%(chunks)s / 10.0)::int) AS n
  RETURNING id
), versions AS (
  INSERT INTO document_version (
    tenant_id, document_id, number, title, text, sha256, language, chunker, space, findings, active,
    published_by)
  SELECT %(tenant)s, id, 1, 'Runbook ' || id, 'medida', md5(id::text), 'en', 'medida', %(space)s, '[]',
         true, 'medida'
    FROM documents
  RETURNING id
), numbered AS (
  SELECT id, row_number() OVER (ORDER BY id) AS place FROM versions
)
INSERT INTO chunk (tenant_id, version_id, ordinal, heading_path, text, searched, start, "end", sha256, length)
SELECT %(tenant)s, v.id, n %% 10, '["Passos"]', body.text, 'Runbook' || chr(10) || body.text,
       0, length(body.text), md5(n::text), 110
  FROM generate_series(0, %(chunks)s - 1) AS n
  JOIN numbered v ON v.place = n / 10 + 1
 CROSS JOIN LATERAL (
   SELECT string_agg('w' || floor(20 * 1000 ^ random())::int, ' ') AS text
     FROM generate_series(1, 130) AS word WHERE n >= 0
 ) AS body;
INSERT INTO posting (tenant_id, chunk_id, term, frequency)
SELECT c.tenant_id, c.id, word, count(*)
  FROM chunk c CROSS JOIN LATERAL string_to_table(c.text, ' ') AS word
 WHERE c.tenant_id = %(tenant)s
 GROUP BY c.tenant_id, c.id, word;
