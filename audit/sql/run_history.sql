-- Every row of one run, from the question to the effect, oldest first, a page at a time.
-- Answers the incident's "what happened here". Index: agente_acao_correlacao.
SELECT id, ocorrido_em, correlacao_id, agente, acao, resultado, autorizacao, aprovado_por,
       politica_versao, fontes, entrada_resumo, saida_resumo, custo_exato, reversivel, reversao_ref, erro,
       aprovacao_id, duracao_ms, entidade_tipo, entidade_id, agente_versao, modelo, instrucao_hash,
       tokens_entrada, tokens_saida
  FROM agente_acao
 WHERE tenant_id = %(tenant_id)s AND correlacao_id = %(correlation_id)s
   AND (%(place)s::timestamptz IS NULL
        OR (ocorrido_em >= %(place)s AND (ocorrido_em, id) > (%(place)s, %(place_id)s)))
 ORDER BY ocorrido_em, id LIMIT %(limit)s
