-- Documents of the allowed collections whose active version's title, or whose file name, holds these words.
-- Answers the search box. Index: document_version_one_active, one row a document of the company.
SELECT d.ref, v.title, d.name, k.name
  FROM document_version v
  JOIN document d ON d.tenant_id = v.tenant_id AND d.id = v.document_id
  JOIN collection k ON k.tenant_id = d.tenant_id AND k.id = d.collection_id
 WHERE v.tenant_id = %(tenant_id)s AND v.active AND k.id = ANY(%(collections)s)
   AND translate(lower(concat_ws(' ', v.title, d.name)),
                 'áàâãäéèêëíìîïóòôõöúùûüçñ', 'aaaaaeeeeiiiiooooouuuucn') LIKE %(pattern)s
 ORDER BY v.title, d.id LIMIT %(limit)s
