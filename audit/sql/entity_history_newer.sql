-- The same towards the present: the rows right after a place, oldest first, in one window of months.
-- Answers "Mais novas". Index: agente_acao_entidade, read backwards.
SELECT id, ocorrido_em, correlacao_id, agente, acao, resultado, autorizacao, aprovado_por,
       politica_versao, fontes, entrada_resumo, saida_resumo, custo_exato, reversivel, reversao_ref, erro,
       aprovacao_id, duracao_ms, entidade_tipo, entidade_id, agente_versao, modelo, instrucao_hash,
       tokens_entrada, tokens_saida
  FROM agente_acao
 WHERE tenant_id = %(tenant_id)s AND entidade_tipo = %(entity_type)s AND entidade_id = %(entity_id)s
   AND (%(actions)s::text[] IS NULL OR acao = ANY(%(actions)s))
   AND (%(without)s::text[] IS NULL OR acao <> ALL(%(without)s))
   AND (%(results)s::text[] IS NULL OR resultado = ANY(%(results)s))
   AND (%(from)s::timestamptz IS NULL OR ocorrido_em >= %(from)s)
   AND (%(upto)s::timestamptz IS NULL OR ocorrido_em < %(upto)s)
   AND ocorrido_em >= %(place)s AND (ocorrido_em, id) > (%(place)s, %(place_id)s)
 ORDER BY ocorrido_em, id LIMIT %(limit)s
