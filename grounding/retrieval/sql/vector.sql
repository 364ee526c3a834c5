-- Exact cosine similarity in one embedding space over the active chunks of the allowed collections.
-- The order is by a sum, so that no approximate index can ever answer here: a filtered one loses
-- rows, and the planner would take it without a word. Its own way in is near.sql.
SELECT c.id, v.document_id, 1 - (e.embedding <=> %(embedding)s::vector) AS score
  FROM chunk_vector e
  JOIN chunk c ON c.tenant_id = e.tenant_id AND c.id = e.chunk_id
  JOIN document_version v ON v.tenant_id = c.tenant_id AND v.id = c.version_id AND v.active
  JOIN document d ON d.tenant_id = v.tenant_id AND d.id = v.document_id
 WHERE e.tenant_id = %(tenant_id)s AND e.space = %(space)s
   AND d.collection_id = ANY(%(collections)s)
   AND (%(since)s::date IS NULL OR d.data >= %(since)s::date)
   AND (%(until)s::date IS NULL OR d.data <= %(until)s::date)
   AND (%(kind)s = '' OR d.tipo = %(kind)s) AND (%(owner)s = '' OR d.dono = %(owner)s)
 ORDER BY (e.embedding <=> %(embedding)s::vector) + 0, c.id LIMIT %(limit)s
