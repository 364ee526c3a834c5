-- Whole proposals beside one: what it asks again (places below 0), what asks it again (above 0),
-- so many steps each way, and the one to compare it with (place 0); each with its effect.
-- Rows only point back, so this ends. Indexes: the key, and agente_aprovacao_uma_seguinte.
WITH RECURSIVE earlier AS (
  SELECT anterior_id AS id, 1 AS step FROM agente_aprovacao
   WHERE tenant_id = %(tenant_id)s AND id = %(here)s AND anterior_id IS NOT NULL
   UNION ALL
  SELECT p.anterior_id, e.step + 1
    FROM earlier e JOIN agente_aprovacao p ON p.tenant_id = %(tenant_id)s AND p.id = e.id
   WHERE p.anterior_id IS NOT NULL AND e.step < %(furthest)s
), later AS (
  SELECT id, 1 AS step FROM agente_aprovacao
   WHERE tenant_id = %(tenant_id)s AND anterior_id = %(here)s
   UNION ALL
  SELECT p.id, l.step + 1
    FROM later l JOIN agente_aprovacao p ON p.tenant_id = %(tenant_id)s AND p.anterior_id = l.id
   WHERE l.step < %(furthest)s
), named AS (
  SELECT id, -step AS place FROM earlier
   UNION ALL
  SELECT id, step FROM later
   UNION ALL
  SELECT %(beside)s::bigint, 0
)
SELECT p.*, named.place, to_json(x) AS effect
  FROM named
  JOIN agente_aprovacao p ON p.tenant_id = %(tenant_id)s AND p.id = named.id
  LEFT JOIN execution x ON x.tenant_id = p.tenant_id AND x.approval_id = p.id
 ORDER BY named.place
