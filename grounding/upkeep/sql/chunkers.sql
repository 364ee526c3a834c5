-- Active passages by the rules that cut them.
SELECT v.chunker, count(DISTINCT v.id)::int, count(c.id)::int
  FROM document_version v
  LEFT JOIN chunk c ON c.tenant_id = v.tenant_id AND c.version_id = v.id
 WHERE v.tenant_id = %(tenant_id)s AND v.active
 GROUP BY v.chunker ORDER BY 3 DESC, 1
