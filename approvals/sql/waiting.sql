-- What waits, by risk and by how long it has. Answers "does the queue move". Index: one of those of
-- what waits; reads most rows at the most.
SELECT risco, CASE WHEN age < interval '1 hour' THEN 0 WHEN age < interval '4 hours' THEN 1
                   WHEN age < interval '1 day' THEN 2 ELSE 3 END AS step, count(*)
  FROM (SELECT risco, now() - criada_em AS age FROM agente_aprovacao
         WHERE tenant_id = %(tenant_id)s AND estado = 'pendente' LIMIT %(most)s) AS waiting
 GROUP BY risco, step
