-- How many active passages have a vector in a space, and how many there are.
SELECT count(e.chunk_id)::int, count(*)::int
  FROM chunk c
  JOIN document_version v ON v.tenant_id = c.tenant_id AND v.id = c.version_id AND v.active
  LEFT JOIN chunk_vector e
    ON e.tenant_id = c.tenant_id AND e.chunk_id = c.id AND e.space = %(space)s
 WHERE c.tenant_id = %(tenant_id)s
