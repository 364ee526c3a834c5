-- BM25 (k1 1.2, b 0.75; Robertson and Zaragoza 2009) over the active chunks of the allowed
-- collections, best first. Tenant and scope apply before ranking and limit, also for the document
-- frequencies. Index: posting_term (tenant_id, term, chunk_id): equality is leakproof, so row level
-- security leaves it usable.
WITH allowed AS (
  SELECT c.id, c.length, v.document_id
    FROM chunk c
    JOIN document_version v ON v.tenant_id = c.tenant_id AND v.id = c.version_id AND v.active
    JOIN document d ON d.tenant_id = v.tenant_id AND d.id = v.document_id
   WHERE c.tenant_id = %(tenant_id)s AND d.collection_id = ANY(%(collections)s)
), size AS (
  SELECT count(*)::float8 AS chunks, greatest(avg(length), 1)::float8 AS mean FROM allowed
), hits AS (
  SELECT p.term, p.chunk_id, p.frequency::float8 AS f, a.length::float8 AS length, a.document_id
    FROM posting p JOIN allowed a ON a.id = p.chunk_id
   WHERE p.tenant_id = %(tenant_id)s AND p.term = ANY(%(terms)s)
), weights AS (
  SELECT term, ln(1 + (size.chunks - count(*) + 0.5) / (count(*) + 0.5)) AS idf
    FROM hits, size GROUP BY term, size.chunks
)
SELECT h.chunk_id, h.document_id,
       sum(w.idf * h.f * 2.2 / (h.f + 1.2 * (0.25 + 0.75 * h.length / size.mean))) AS score
  FROM hits h JOIN weights w USING (term), size
 GROUP BY h.chunk_id, h.document_id
 ORDER BY score DESC, h.chunk_id LIMIT %(limit)s
