-- What a search could still find and should not, or could not find and should: each must be zero.
SELECT (SELECT count(*) FROM (SELECT DISTINCT p.chunk_id FROM posting p
                               WHERE p.tenant_id = %(tenant_id)s) held
          LEFT JOIN chunk c ON c.tenant_id = %(tenant_id)s AND c.id = held.chunk_id
         WHERE c.id IS NULL)
     + (SELECT count(*) FROM chunk_vector e
          LEFT JOIN chunk c ON c.tenant_id = e.tenant_id AND c.id = e.chunk_id
         WHERE e.tenant_id = %(tenant_id)s AND c.id IS NULL)
     + (SELECT count(*) FROM chunk c
          LEFT JOIN document_version v ON v.tenant_id = c.tenant_id AND v.id = c.version_id
         WHERE c.tenant_id = %(tenant_id)s AND v.id IS NULL) AS orphans,
       (SELECT count(*) FROM chunk c
          JOIN document_version v ON v.tenant_id = c.tenant_id AND v.id = c.version_id AND v.active
         WHERE c.tenant_id = %(tenant_id)s
           AND NOT EXISTS (SELECT FROM chunk_vector e WHERE e.tenant_id = c.tenant_id
                              AND e.chunk_id = c.id AND e.space = %(space)s)) AS unseen,
       (SELECT count(*) FROM chunk_vector e
         WHERE e.tenant_id = %(tenant_id)s AND e.space <> ALL(%(kept)s)) AS stranded,
       (SELECT count(*) FROM document_version v
         WHERE v.tenant_id = %(tenant_id)s AND v.active
           AND NOT EXISTS (SELECT FROM chunk c
                            WHERE c.tenant_id = v.tenant_id AND c.version_id = v.id)) AS textless
