-- How often a person had to come in, by agent: effects a person approved and runs handed over, of all
-- effects and hand-overs. Preparations do not count. Index: agente_acao_quando.
WITH contado AS (
  SELECT agente,
         count(*) FILTER (WHERE acao <> 'repasse.humano') AS efeitos,
         count(*) FILTER (WHERE acao <> 'repasse.humano' AND autorizacao = 'humana') AS humana,
         count(*) FILTER (WHERE acao <> 'repasse.humano' AND autorizacao IN ('regra', 'previa')) AS automatica,
         count(*) FILTER (WHERE acao = 'repasse.humano') AS repasses,
         count(*) AS todos
    FROM agente_acao
   WHERE tenant_id = %(tenant_id)s
     AND (%(since)s::timestamptz IS NULL OR ocorrido_em >= %(since)s)
     AND (%(until)s::timestamptz IS NULL OR ocorrido_em < %(until)s)
     AND ((acao = ANY(%(effects)s) AND resultado IN ('ok', 'erro', 'desconhecido'))
          OR acao = 'repasse.humano')
     AND (%(agente)s::text IS NULL OR agente = %(agente)s)
   GROUP BY agente
)
SELECT agente, efeitos, humana, automatica, repasses,
       round(100.0 * (humana + repasses) / todos, 2) AS taxa_repasse
  FROM contado
 WHERE %(after_agente)s::text IS NULL OR agente > %(after_agente)s::text
 ORDER BY agente LIMIT %(limit)s
