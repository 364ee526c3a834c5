-- The text and provenance of chunks the search has already authorised; metadata comes from here,
-- never from a model. Inactive versions stay readable: a citation is permanent.
SELECT c.id, c.text, c.searched, c.heading_path, c.start, c."end", c.sha256, c.ordinal,
       v.id, v.number, v.title, v.language, d.id, d.ref, k.name,
       k.id, k.slug, d.name, d.dono, d.tipo, d.data, v.chunker, c.lead, c.tail
  FROM chunk c
  JOIN document_version v ON v.tenant_id = c.tenant_id AND v.id = c.version_id
  JOIN document d ON d.tenant_id = v.tenant_id AND d.id = v.document_id
  JOIN collection k ON k.tenant_id = d.tenant_id AND k.id = d.collection_id
 WHERE c.tenant_id = %(tenant_id)s AND c.id = ANY(%(chunks)s)
