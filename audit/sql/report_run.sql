-- Every row of one run, from what set it off to its effect, oldest first. Answers the incident.
-- Index: agente_acao_correlacao.
SELECT id, ocorrido_em, correlacao_id, agente, agente_versao, modelo, instrucao_hash, acao, resultado,
       autorizacao, aprovado_por, politica_versao, aprovacao_id, entidade_tipo, entidade_id, fontes,
       entrada_resumo, saida_resumo, tokens_entrada, tokens_saida, custo_exato AS custo_centavos,
       duracao_ms, reversivel, reversao_ref, erro, informado_em
  FROM agente_acao
 WHERE tenant_id = %(tenant_id)s AND correlacao_id = %(correlacao)s::uuid
   AND (%(after_id)s::bigint IS NULL
        OR (ocorrido_em >= %(after_ocorrido_em)s::timestamptz
            AND (ocorrido_em, id) > (%(after_ocorrido_em)s::timestamptz, %(after_id)s::bigint)))
 ORDER BY ocorrido_em, id LIMIT %(limit)s
