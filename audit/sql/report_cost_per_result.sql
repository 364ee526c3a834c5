-- What one useful result costs, by agent: the vocabulary says which actions are useful, and only those
-- that ended well count. Rows of unknown cost make it a lower bound. Index: agente_acao_quando.
WITH gasto AS (
  SELECT agente, count(*) FILTER (WHERE acao = ANY(%(useful)s) AND resultado = 'ok') AS uteis,
         sum(custo_exato) AS custo_centavos, count(*) FILTER (WHERE custo_exato IS NULL) AS sem_custo
    FROM agente_acao
   WHERE tenant_id = %(tenant_id)s
     AND (%(since)s::timestamptz IS NULL OR ocorrido_em >= %(since)s)
     AND (%(until)s::timestamptz IS NULL OR ocorrido_em < %(until)s)
     AND (%(agente)s::text IS NULL OR agente = %(agente)s)
   GROUP BY agente
)
SELECT agente, uteis, custo_centavos, sem_custo,
       round(custo_centavos / nullif(uteis, 0), 6) AS custo_por_resultado
  FROM gasto
 WHERE %(after_agente)s::text IS NULL OR agente > %(after_agente)s::text
 ORDER BY agente LIMIT %(limit)s
