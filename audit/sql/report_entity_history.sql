-- Everything the agents and people did about one customer, order or contract, newest first, with who
-- authorised it; of an entry that others were merged into, theirs too, each read in the index's order.
-- Readings of the history are left out unless asked for.
-- Answers the titular and the auditor. Index: agente_acao_entidade.
SELECT a.*
  FROM unnest(%(entity_ids)s::text[]) AS quem (ref)
  CROSS JOIN LATERAL (
    SELECT id, ocorrido_em, correlacao_id, agente, agente_versao, modelo, instrucao_hash, acao, resultado,
           autorizacao, aprovado_por, politica_versao, aprovacao_id, entidade_tipo, entidade_id, fontes,
           entrada_resumo, saida_resumo, tokens_entrada, tokens_saida, custo_exato AS custo_centavos,
           duracao_ms, reversivel, reversao_ref, erro, informado_em
      FROM agente_acao
     WHERE tenant_id = %(tenant_id)s AND entidade_tipo = %(entity_type)s AND entidade_id = quem.ref
       AND (%(since)s::timestamptz IS NULL OR ocorrido_em >= %(since)s)
       AND (%(until)s::timestamptz IS NULL OR ocorrido_em < %(until)s)
       AND (%(acao)s::text IS NULL OR acao = %(acao)s)
       AND (%(leituras)s = 'com' OR acao <> 'historico.lido' OR acao = %(acao)s::text)
       AND (%(resultado)s::text IS NULL OR resultado = %(resultado)s)
       AND (%(after_id)s::bigint IS NULL
            OR (ocorrido_em <= %(after_ocorrido_em)s::timestamptz
                AND (ocorrido_em, id) < (%(after_ocorrido_em)s::timestamptz, %(after_id)s::bigint)))
     ORDER BY ocorrido_em DESC, id DESC LIMIT %(limit)s
  ) a
 ORDER BY ocorrido_em DESC, id DESC LIMIT %(limit)s
