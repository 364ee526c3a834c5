-- Where actions go wrong: of those that were tried, how many did not conclude or ended unknown.
-- A refusal is a rule at work and no error. Index: agente_acao_quando.
WITH contado AS (
  SELECT acao,
         count(*) FILTER (WHERE resultado = 'ok') AS ok,
         count(*) FILTER (WHERE resultado = 'erro') AS erro,
         count(*) FILTER (WHERE resultado = 'desconhecido') AS desconhecido,
         count(*) FILTER (WHERE resultado = 'recusado') AS recusado
    FROM agente_acao
   WHERE tenant_id = %(tenant_id)s
     AND (%(since)s::timestamptz IS NULL OR ocorrido_em >= %(since)s)
     AND (%(until)s::timestamptz IS NULL OR ocorrido_em < %(until)s)
     AND resultado IN ('ok', 'erro', 'desconhecido', 'recusado')
     AND (%(agente)s::text IS NULL OR agente = %(agente)s)
   GROUP BY acao
)
SELECT acao, ok, erro, desconhecido, recusado,
       round(100.0 * (erro + desconhecido) / nullif(ok + erro + desconhecido, 0), 2) AS taxa_erro
  FROM contado
 WHERE %(after_acao)s::text IS NULL OR acao > %(after_acao)s::text
 ORDER BY acao LIMIT %(limit)s
