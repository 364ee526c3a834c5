-- How rare each of the question's terms is among the active chunks of the allowed collections:
-- the idf of BM25, for terms nobody has too (they weigh most), in how many chunks, and how long a
-- chunk is on average. Both indexes that are read here hold all that is asked of their tables.
WITH allowed AS MATERIALIZED (
  SELECT c.id, c.length
    FROM chunk c
    JOIN document_version v ON v.tenant_id = c.tenant_id AND v.id = c.version_id AND v.active
    JOIN document d ON d.tenant_id = v.tenant_id AND d.id = v.document_id
   WHERE c.tenant_id = %(tenant_id)s AND d.collection_id = ANY(%(collections)s)
     AND (%(since)s::date IS NULL OR d.data >= %(since)s::date)
     AND (%(until)s::date IS NULL OR d.data <= %(until)s::date)
     AND (%(kind)s = '' OR d.tipo = %(kind)s) AND (%(owner)s = '' OR d.dono = %(owner)s)
), size AS (
  SELECT count(*)::float8 AS chunks, greatest(avg(length), 1)::float8 AS mean FROM allowed
), found AS (
  SELECT p.term, count(*)::float8 AS chunks
    FROM posting p JOIN allowed a ON a.id = p.chunk_id
   WHERE p.tenant_id = %(tenant_id)s AND p.term = ANY(%(terms)s)
   GROUP BY p.term
)
SELECT t.term, ln(1 + (size.chunks - coalesce(f.chunks, 0) + 0.5) / (coalesce(f.chunks, 0) + 0.5)),
       coalesce(f.chunks, 0)::int, size.mean
  FROM unnest(%(terms)s::text[]) AS t (term) CROSS JOIN size LEFT JOIN found f USING (term)
