-- Whom or what an incident may have reached: entities of the run itself, of the same agents around that
-- time, and, when asked for, of everything around that time. Each entity once, by its nearest tie.
-- The console itself is no agent here, and reading, holding or exporting the trail reaches nobody: a scope
-- does not grow while it is looked into. Index: agente_acao_correlacao, agente_acao_agente, agente_acao_quando.
WITH rodada AS (
  SELECT min(ocorrido_em) - %(janela)s::interval AS since, max(ocorrido_em) + %(janela)s::interval AS until,
         array_agg(DISTINCT agente) FILTER (WHERE agente <> 'console') AS agentes
    FROM agente_acao WHERE tenant_id = %(tenant_id)s AND correlacao_id = %(correlacao)s::uuid
), tocada AS (
  SELECT 1 AS laco, acao, entidade_tipo, entidade_id, ocorrido_em, correlacao_id
    FROM agente_acao WHERE tenant_id = %(tenant_id)s AND correlacao_id = %(correlacao)s::uuid
  UNION ALL
  SELECT 2, a.acao, a.entidade_tipo, a.entidade_id, a.ocorrido_em, a.correlacao_id
    FROM rodada r JOIN agente_acao a
      ON a.tenant_id = %(tenant_id)s AND a.agente = ANY(r.agentes)
     AND a.ocorrido_em >= r.since AND a.ocorrido_em <= r.until
   WHERE %(alcance)s IN ('agente', 'tempo') AND a.correlacao_id <> %(correlacao)s::uuid
  UNION ALL
  SELECT 3, a.acao, a.entidade_tipo, a.entidade_id, a.ocorrido_em, a.correlacao_id
    FROM rodada r JOIN agente_acao a
      ON a.tenant_id = %(tenant_id)s AND a.ocorrido_em >= r.since AND a.ocorrido_em <= r.until
   WHERE %(alcance)s = 'tempo' AND a.correlacao_id <> %(correlacao)s::uuid
     AND NOT (a.agente = ANY(coalesce(r.agentes, '{}')))
), alcancada AS (
  SELECT entidade_tipo, entidade_id, min(laco) AS laco, count(*) AS acoes,
         count(DISTINCT correlacao_id) AS rodadas, min(ocorrido_em) AS primeira, max(ocorrido_em) AS ultima
    FROM tocada WHERE entidade_tipo IS NOT NULL AND entidade_id IS NOT NULL
     AND acao <> ALL(%(of_the_trail)s)
   GROUP BY entidade_tipo, entidade_id
)
SELECT entidade_tipo, entidade_id,
       CASE laco WHEN 1 THEN 'mesma rodada' WHEN 2 THEN 'mesmo agente' ELSE 'mesmo tempo' END AS laco,
       acoes, rodadas, primeira, ultima
  FROM alcancada
 WHERE %(after_entidade_id)s::text IS NULL
    OR (entidade_tipo, entidade_id) > (%(after_entidade_tipo)s::text, %(after_entidade_id)s::text)
 ORDER BY entidade_tipo, entidade_id LIMIT %(limit)s
