-- The queues a person keeps under names of their own. Index: that of the name, unique by person.
SELECT coalesce(json_agg(v ORDER BY v.name), '[]') AS views
  FROM (SELECT * FROM saved_view WHERE tenant_id = %(tenant_id)s AND subject = %(me)s
         ORDER BY name LIMIT %(most)s) v
