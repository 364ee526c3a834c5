-- Both legs in one look: weights.sql, lexical.sql and vector.sql over the same allowed chunks, which
-- are read once. Kind 0 = a term with its idf, its chunks and a chunk's mean length; 1 = a hit of the
-- lexical leg; 2 = of the vector leg. Used where nothing stands between the legs: no pasted log, no
-- approximate index.
WITH allowed AS MATERIALIZED (
  SELECT c.id, c.length, v.document_id
    FROM chunk c
    JOIN document_version v ON v.tenant_id = c.tenant_id AND v.id = c.version_id AND v.active
    JOIN document d ON d.tenant_id = v.tenant_id AND d.id = v.document_id
   WHERE c.tenant_id = %(tenant_id)s AND d.collection_id = ANY(%(collections)s)
     AND (%(since)s::date IS NULL OR d.data >= %(since)s::date)
     AND (%(until)s::date IS NULL OR d.data <= %(until)s::date)
     AND (%(kind)s = '' OR d.tipo = %(kind)s) AND (%(owner)s = '' OR d.dono = %(owner)s)
), size AS MATERIALIZED (
  SELECT count(*)::float8 AS chunks, greatest(avg(length), 1)::float8 AS mean FROM allowed
), found AS (
  SELECT p.term, count(*)::float8 AS chunks
    FROM posting p JOIN allowed a ON a.id = p.chunk_id
   WHERE p.tenant_id = %(tenant_id)s AND p.term = ANY(%(terms)s)
   GROUP BY p.term
), weights AS MATERIALIZED (
  SELECT t.term, coalesce(f.chunks, 0)::int AS chunks,
         ln(1 + (size.chunks - coalesce(f.chunks, 0) + 0.5) / (coalesce(f.chunks, 0) + 0.5)) AS idf
    FROM unnest(%(terms)s::text[]) AS t (term) CROSS JOIN size LEFT JOIN found f USING (term)
), lexical AS (
  SELECT p.chunk_id, min(a.document_id) AS document_id,
         sum(w.idf * p.frequency * 2.2
             / (p.frequency + 1.2 * (0.25 + 0.75 * a.length / (SELECT mean FROM size)))) AS score
    FROM weights w
    JOIN posting p ON p.tenant_id = %(tenant_id)s AND p.term = w.term
    JOIN allowed a ON a.id = p.chunk_id
   GROUP BY p.chunk_id
   ORDER BY score DESC, p.chunk_id LIMIT %(limit)s
), vector AS (
  SELECT e.chunk_id, a.document_id, 1 - (e.embedding <=> %(embedding)s::vector) AS score
    FROM chunk_vector e JOIN allowed a ON a.id = e.chunk_id
   WHERE e.tenant_id = %(tenant_id)s AND e.space = %(space)s
   ORDER BY (e.embedding <=> %(embedding)s::vector) + 0, e.chunk_id LIMIT %(limit)s
)
SELECT 0, w.term, NULL::bigint, w.chunks::bigint, w.idf, size.mean FROM weights w CROSS JOIN size
UNION ALL SELECT 1, NULL, chunk_id, document_id, score, NULL FROM lexical
UNION ALL SELECT 2, NULL, chunk_id, document_id, score, NULL FROM vector
