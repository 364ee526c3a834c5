-- Every row of one run as the very text its hash is made of, with the hash it was written with, oldest
-- first. Answers "is each row still the one that was written". In a session of UTC, as the trigger is.
-- Index: agente_acao_correlacao.
SELECT id, ocorrido_em, (to_jsonb(a) - 'linha_hash')::text, encode(linha_hash, 'hex')
  FROM agente_acao a
 WHERE tenant_id = %(tenant_id)s AND correlacao_id = %(correlation_id)s
 ORDER BY ocorrido_em, id LIMIT %(limit)s
