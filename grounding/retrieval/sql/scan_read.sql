-- The settings as they hold. One that the extension does not know is taken without a word as a string
-- and means nothing; the extension's own have a type.
SELECT name, setting FROM pg_settings
 WHERE name = ANY(%(names)s) AND vartype <> 'string' AND %(tenant_id)s::uuid IS NOT NULL
