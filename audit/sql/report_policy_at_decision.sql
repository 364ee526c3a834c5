-- Under which policy each decision was taken: the version the proposal was prepared under, and the one
-- in force at the moment of the decision, with its hash. Index: agente_acao_quando.
SELECT d.id, d.ocorrido_em, d.correlacao_id, d.acao, d.resultado, d.autorizacao, d.aprovado_por,
       d.aprovacao_id, d.politica_versao AS politica_da_proposta, p.number AS politica_em_vigor,
       p.sha256 AS politica_sha256
  FROM agente_acao d
  LEFT JOIN LATERAL (
    SELECT number, sha256 FROM policy_version
     WHERE tenant_id = %(tenant_id)s AND activated_at <= d.ocorrido_em
     ORDER BY number DESC LIMIT 1
  ) p ON true
 WHERE d.tenant_id = %(tenant_id)s
   AND (%(since)s::timestamptz IS NULL OR d.ocorrido_em >= %(since)s)
   AND (%(until)s::timestamptz IS NULL OR d.ocorrido_em < %(until)s)
   AND d.acao IN ('aprovacao.concedida', 'aprovacao.recusada', 'aprovacao.expirada',
                  'aprovacao.cancelada', 'aprovacao.devolvida')
   AND (%(correlacao)s::uuid IS NULL OR d.correlacao_id = %(correlacao)s)
   AND (%(after_id)s::bigint IS NULL
        OR (d.ocorrido_em <= %(after_ocorrido_em)s::timestamptz
            AND (d.ocorrido_em, d.id) < (%(after_ocorrido_em)s::timestamptz, %(after_id)s::bigint)))
 ORDER BY d.ocorrido_em DESC, d.id DESC LIMIT %(limit)s
