-- Vectors of spaces that nobody asks and nobody fills, so many at a time.
DELETE FROM chunk_vector e
 WHERE e.tenant_id = %(tenant_id)s
   AND e.id IN (SELECT o.id FROM chunk_vector o
                 WHERE o.tenant_id = %(tenant_id)s AND o.space <> ALL(%(kept)s)
                 LIMIT %(limit)s)
RETURNING e.id
