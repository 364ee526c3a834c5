-- BM25 (k1 1.2, b 0.75; Robertson and Zaragoza 2009) over the active chunks of the allowed
-- collections, best first, with the idf of weights.sql. Tenant and scope apply before ranking and
-- limit. Index: posting_term (tenant_id, term, chunk_id, with the frequency): equality is leakproof,
-- so row level security leaves it usable.
WITH allowed AS MATERIALIZED (
  SELECT c.id, c.length, v.document_id
    FROM chunk c
    JOIN document_version v ON v.tenant_id = c.tenant_id AND v.id = c.version_id AND v.active
    JOIN document d ON d.tenant_id = v.tenant_id AND d.id = v.document_id
   WHERE c.tenant_id = %(tenant_id)s AND d.collection_id = ANY(%(collections)s)
     AND (%(since)s::date IS NULL OR d.data >= %(since)s::date)
     AND (%(until)s::date IS NULL OR d.data <= %(until)s::date)
     AND (%(kind)s = '' OR d.tipo = %(kind)s) AND (%(owner)s = '' OR d.dono = %(owner)s)
)
SELECT p.chunk_id, min(a.document_id) AS document_id,
       sum(t.idf * p.frequency * 2.2
           / (p.frequency + 1.2 * (0.25 + 0.75 * a.length / %(mean)s::float8))) AS score
  FROM unnest(%(terms)s::text[], %(idf)s::float8[]) AS t (term, idf)
  JOIN posting p ON p.tenant_id = %(tenant_id)s AND p.term = t.term
  JOIN allowed a ON a.id = p.chunk_id
 GROUP BY p.chunk_id
 ORDER BY score DESC, p.chunk_id LIMIT %(limit)s
