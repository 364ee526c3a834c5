-- Who read or exported what of the trail, newest first: the reading that leaves a row.
-- Index: agente_acao_leituras.
SELECT id, ocorrido_em, correlacao_id, acao, entrada_resumo, entidade_tipo, entidade_id, saida_resumo,
       fontes
  FROM agente_acao
 WHERE tenant_id = %(tenant_id)s
   AND acao IN ('historico.lido', 'exportacao.gerada', 'exportacao.baixada', 'acessos.exportados')
   AND (%(since)s::timestamptz IS NULL OR ocorrido_em >= %(since)s)
   AND (%(until)s::timestamptz IS NULL OR ocorrido_em < %(until)s)
   AND (%(entity_id)s::text IS NULL
        OR (entidade_tipo = %(entity_type)s AND entidade_id = ANY(%(entity_ids)s)))
   AND (%(after_id)s::bigint IS NULL
        OR (ocorrido_em <= %(after_ocorrido_em)s::timestamptz
            AND (ocorrido_em, id) < (%(after_ocorrido_em)s::timestamptz, %(after_id)s::bigint)))
 ORDER BY ocorrido_em DESC, id DESC LIMIT %(limit)s
