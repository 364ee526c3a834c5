-- What the console refused (`unread`: not these codes) and blocked before sending, by code. Index:
-- agente_acao_resultado, in the months of the period.
SELECT blocked, code, count(*)
  FROM (SELECT acao = 'execucao.bloqueada' AS blocked,
               CASE acao WHEN 'execucao.bloqueada' THEN erro ELSE saida_resumo END AS code
          FROM agente_acao
         WHERE tenant_id = %(tenant_id)s AND resultado = 'recusado'
           AND acao IN ('acao.recusada', 'execucao.bloqueada')
           AND NOT (acao = 'acao.recusada' AND saida_resumo = ANY(%(unread)s))
           AND ocorrido_em >= now() - %(days)s * interval '1 day' LIMIT %(most)s) AS refused
 WHERE code IS NOT NULL GROUP BY blocked, code ORDER BY count(*) DESC, code LIMIT 12
