-- The documents deleted last, and how many of their passages are still there: none may be.
SELECT d.id, d.name,
       (SELECT count(*) FROM chunk c
          JOIN document_version v ON v.tenant_id = c.tenant_id AND v.id = c.version_id
         WHERE v.tenant_id = d.tenant_id AND v.document_id = d.id)::int
  FROM document d
 WHERE d.tenant_id = %(tenant_id)s AND d.deleted_at IS NOT NULL
 ORDER BY d.deleted_at DESC LIMIT %(limit)s
