-- What was refused, blocked, handed over or left to expire: the rule at work, by a person or by code.
-- Index: agente_acao_quando.
SELECT id, ocorrido_em, correlacao_id, agente, agente_versao, modelo, instrucao_hash, acao, resultado,
       autorizacao, aprovado_por, politica_versao, aprovacao_id, entidade_tipo, entidade_id, fontes,
       entrada_resumo, saida_resumo, tokens_entrada, tokens_saida, custo_exato AS custo_centavos,
       duracao_ms, reversivel, reversao_ref, erro, informado_em
  FROM agente_acao
 WHERE tenant_id = %(tenant_id)s
   AND (%(since)s::timestamptz IS NULL OR ocorrido_em >= %(since)s)
   AND (%(until)s::timestamptz IS NULL OR ocorrido_em < %(until)s)
   AND (resultado IN ('recusado', 'expirado')
        OR acao IN ('repasse.humano', 'aprovacao.cancelada', 'aprovacao.devolvida', 'execucao.bloqueada'))
   AND (%(agente)s::text IS NULL OR agente = %(agente)s)
   AND (%(acao)s::text IS NULL OR acao = %(acao)s)
   AND (%(after_id)s::bigint IS NULL
        OR (ocorrido_em <= %(after_ocorrido_em)s::timestamptz
            AND (ocorrido_em, id) < (%(after_ocorrido_em)s::timestamptz, %(after_id)s::bigint)))
 ORDER BY ocorrido_em DESC, id DESC LIMIT %(limit)s
