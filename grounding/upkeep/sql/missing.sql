-- Active passages that have no vector in a space, oldest first: what filling it still has to do.
SELECT c.id, c.searched, v.language
  FROM chunk c
  JOIN document_version v ON v.tenant_id = c.tenant_id AND v.id = c.version_id AND v.active
 WHERE c.tenant_id = %(tenant_id)s
   AND NOT EXISTS (SELECT FROM chunk_vector e
                    WHERE e.tenant_id = c.tenant_id AND e.chunk_id = c.id AND e.space = %(space)s)
 ORDER BY c.id LIMIT %(limit)s
