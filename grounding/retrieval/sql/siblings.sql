-- The other passages of a version, in order: an answer to "what do I do" may need the step or the
-- warning beside the passage that was found. Index: chunk_ordinal.
SELECT c.id FROM chunk c
 WHERE c.tenant_id = %(tenant_id)s AND c.version_id = %(version_id)s
 ORDER BY c.ordinal LIMIT %(limit)s
