-- The newest active passages with their documents, for the search of near-duplicates.
SELECT c.id, v.document_id, c.text
  FROM chunk c
  JOIN document_version v ON v.tenant_id = c.tenant_id AND v.id = c.version_id AND v.active
 WHERE c.tenant_id = %(tenant_id)s
 ORDER BY c.id DESC LIMIT %(limit)s
