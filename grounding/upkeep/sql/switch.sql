-- Questions go to the new space from this statement on, and only if no active passage lacks a vector
-- in it. The approximate index was of the old space, so the search is exact again.
UPDATE knowledge_index k
   SET space = k.target, previous = k.space, target = '', search = 'exata', recall = NULL,
       recalled_at = NULL, done = 0, total = 0, fault = '', switched_at = statement_timestamp()
 WHERE k.tenant_id = %(tenant_id)s AND k.target = %(space)s
   AND NOT EXISTS (
     SELECT FROM chunk c
       JOIN document_version v ON v.tenant_id = c.tenant_id AND v.id = c.version_id AND v.active
      WHERE c.tenant_id = k.tenant_id
        AND NOT EXISTS (SELECT FROM chunk_vector e
                         WHERE e.tenant_id = c.tenant_id AND e.chunk_id = c.id
                           AND e.space = k.target))
RETURNING k.previous
