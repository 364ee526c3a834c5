-- What each agent cost each day of the installation's zone, with how many rows do not know their cost:
-- then the sum is a lower bound. Index: agente_acao_quando; with an agent, agente_acao_agente.
WITH gasto AS (
  SELECT (ocorrido_em AT TIME ZONE %(zone)s)::date AS dia, agente, count(*) AS linhas,
         sum(custo_exato) AS custo_centavos, count(*) FILTER (WHERE custo_exato IS NULL) AS sem_custo,
         sum(tokens_entrada) AS tokens_entrada, sum(tokens_saida) AS tokens_saida
    FROM agente_acao
   WHERE tenant_id = %(tenant_id)s
     AND (%(since)s::timestamptz IS NULL OR ocorrido_em >= %(since)s)
     AND (%(until)s::timestamptz IS NULL OR ocorrido_em < %(until)s)
     AND (%(agente)s::text IS NULL OR agente = %(agente)s)
   GROUP BY 1, 2
)
SELECT dia, agente, linhas, custo_centavos, sem_custo, tokens_entrada, tokens_saida
  FROM gasto
 WHERE %(after_dia)s::date IS NULL OR dia < %(after_dia)s::date
    OR (dia = %(after_dia)s::date AND agente > %(after_agente)s::text)
 ORDER BY dia DESC, agente LIMIT %(limit)s
