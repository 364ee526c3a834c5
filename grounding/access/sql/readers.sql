-- Who may read which collection now: the newest entry of each pair, where it grants.
-- Answers every question and every page about knowledge. Index: collection_reader_of.
SELECT c.id, c.slug, c.name, r.subject
  FROM collection c
 CROSS JOIN LATERAL (
   SELECT DISTINCT ON (e.subject) e.subject, e.granted
     FROM collection_reader e
    WHERE e.tenant_id = c.tenant_id AND e.collection_id = c.id
    ORDER BY e.subject, e.number DESC
 ) r
 WHERE c.tenant_id = %(tenant_id)s AND r.granted AND r.subject = ANY(%(subjects)s)
 ORDER BY c.name, c.id, r.subject
