-- Documents in use that were cut by other rules than their collection's, oldest first.
SELECT v.id
  FROM document_version v
  JOIN document d ON d.tenant_id = v.tenant_id AND d.id = v.document_id
  LEFT JOIN unnest(%(collections)s::bigint[], %(chunkers)s::text[]) AS wanted (collection_id, chunker)
    ON wanted.collection_id = d.collection_id
 WHERE v.tenant_id = %(tenant_id)s AND v.active AND d.deleted_at IS NULL
   AND v.chunker <> coalesce(wanted.chunker, %(standard)s)
   AND v.id > %(after)s
 ORDER BY v.id LIMIT %(limit)s
