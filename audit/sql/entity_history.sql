-- What was done about one entity, newest first, a page at a time.
-- Answers the titular and the auditor. Index: agente_acao_entidade.
SELECT id, ocorrido_em, correlacao_id, agente, acao, resultado, autorizacao, aprovado_por,
       politica_versao, fontes, entrada_resumo, saida_resumo, custo_exato, reversivel, reversao_ref, erro,
       aprovacao_id, duracao_ms, entidade_tipo, entidade_id
  FROM agente_acao
 WHERE tenant_id = %(tenant_id)s AND entidade_tipo = %(entity_type)s AND entidade_id = %(entity_id)s
   AND (%(actions)s::text[] IS NULL OR acao = ANY(%(actions)s))
   AND (%(results)s::text[] IS NULL OR resultado = ANY(%(results)s))
   AND (%(since)s::timestamptz IS NULL OR ocorrido_em >= %(since)s)
   AND (%(until)s::timestamptz IS NULL OR ocorrido_em < %(until)s)
   AND (%(before)s::timestamptz IS NULL OR (ocorrido_em, id) < (%(before)s, %(before_id)s))
 ORDER BY ocorrido_em DESC, id DESC LIMIT %(limit)s
