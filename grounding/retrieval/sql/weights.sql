-- How rare each of the question's terms is among the active chunks of the allowed collections:
-- the idf of lexical.sql, for terms nobody has too (they weigh most), and in how many chunks.
WITH allowed AS (
  SELECT c.id
    FROM chunk c
    JOIN document_version v ON v.tenant_id = c.tenant_id AND v.id = c.version_id AND v.active
    JOIN document d ON d.tenant_id = v.tenant_id AND d.id = v.document_id
   WHERE c.tenant_id = %(tenant_id)s AND d.collection_id = ANY(%(collections)s)
), size AS (SELECT count(*)::float8 AS chunks FROM allowed), found AS (
  SELECT p.term, count(*)::float8 AS chunks
    FROM posting p JOIN allowed a ON a.id = p.chunk_id
   WHERE p.tenant_id = %(tenant_id)s AND p.term = ANY(%(terms)s)
   GROUP BY p.term
)
SELECT t.term, ln(1 + (size.chunks - coalesce(f.chunks, 0) + 0.5) / (coalesce(f.chunks, 0) + 0.5)),
       coalesce(f.chunks, 0)::int
  FROM unnest(%(terms)s::text[]) AS t (term) CROSS JOIN size LEFT JOIN found f USING (term)
