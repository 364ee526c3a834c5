-- How often a person had to come in, by agent: hand-overs beside the effects that were carried out, which is
-- the dashboard's rate, and of these effects how many a person approved. Preparations do not count.
-- Index: agente_acao_quando.
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
     AND ((acao = ANY(%(effects)s) AND autorizacao <> 'pendente' AND resultado = 'ok')
          OR acao = 'repasse.humano')
     AND (%(agente)s::text IS NULL OR agente = %(agente)s)
   GROUP BY agente
)
SELECT agente, efeitos, humana, automatica, repasses,
       round(100.0 * repasses / todos, 2) AS taxa_repasse,
       round(100.0 * humana / nullif(efeitos, 0), 2) AS taxa_humana
  FROM contado
 WHERE %(after_agente)s::text IS NULL OR agente > %(after_agente)s::text
 ORDER BY agente LIMIT %(limit)s
