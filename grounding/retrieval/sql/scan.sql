-- How the approximate index is scanned in this transaction: it goes on past what the scope and the
-- filters drop, up to so many rows. Touching the type first loads the extension, which then knows its
-- own settings. Read back by scan_read.sql.
SELECT set_config(name, value, true)
  FROM (SELECT '[1]'::vector IS NOT NULL AS loaded OFFSET 0) AS extension,
       unnest(%(names)s::text[], %(values)s::text[]) AS wanted (name, value)
 WHERE extension.loaded AND %(tenant_id)s::uuid IS NOT NULL
