-- What the rows of one entity's trace come to, by action, result and authorisation; what has no known
-- cost is counted apart. Answers the first page of the summary; their sum is the rows of the trace.
-- Index: agente_acao_entidade.
SELECT acao, resultado, autorizacao, count(*), min(ocorrido_em), max(ocorrido_em),
       sum(custo_exato), count(*) FILTER (WHERE NOT uso_conhecido)
  FROM agente_acao
 WHERE tenant_id = %(tenant_id)s AND entidade_tipo = %(entity_type)s
   AND entidade_id = ANY(%(entity_ids)s) AND ocorrido_em < %(until)s
 GROUP BY acao, resultado, autorizacao ORDER BY acao, resultado, autorizacao
