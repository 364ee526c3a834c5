-- Approximate cosine similarity for a company whose vectors have a partition of their own with an
-- HNSW index (ADR 0016). The scan goes on until enough rows have passed the scope and the filters;
-- it is relaxed about their order, so what it found is put in order here.
WITH near AS MATERIALIZED (
  SELECT e.chunk_id, v.document_id, e.embedding <=> %(embedding)s::vector AS distance
    FROM chunk_vector e
    JOIN chunk c ON c.tenant_id = e.tenant_id AND c.id = e.chunk_id
    JOIN document_version v ON v.tenant_id = c.tenant_id AND v.id = c.version_id AND v.active
    JOIN document d ON d.tenant_id = v.tenant_id AND d.id = v.document_id
   WHERE e.tenant_id = %(tenant_id)s AND e.space = %(space)s
     AND d.collection_id = ANY(%(collections)s)
     AND (%(since)s::date IS NULL OR d.data >= %(since)s::date)
     AND (%(until)s::date IS NULL OR d.data <= %(until)s::date)
     AND (%(kind)s = '' OR d.tipo = %(kind)s) AND (%(owner)s = '' OR d.dono = %(owner)s)
   ORDER BY e.embedding <=> %(embedding)s::vector LIMIT %(limit)s
)
SELECT chunk_id, document_id, 1 - distance AS score
  FROM near ORDER BY distance, chunk_id
