-- A batch of what one entity's trace is made of, oldest first, each row as the text its hash is of.
-- Answers an export that reads everything and never holds all of it. One index scan an id (an entity
-- that was joined with another has several), which ends by itself at the limit.
-- Index: agente_acao_entidade, read backwards.
SELECT row_text, row_hash, ocorrido_em, id
  FROM unnest(%(entity_ids)s::text[]) AS about (ref)
 CROSS JOIN LATERAL (
   SELECT (to_jsonb(a) - 'linha_hash')::text AS row_text, encode(a.linha_hash, 'hex') AS row_hash,
          a.ocorrido_em, a.id
     FROM agente_acao a
    WHERE a.tenant_id = %(tenant_id)s AND a.entidade_tipo = %(entity_type)s
      AND a.entidade_id = about.ref
      AND a.ocorrido_em >= %(since)s AND a.ocorrido_em < %(until)s
      AND (a.ocorrido_em, a.id) > (%(since)s, %(after)s)
    ORDER BY a.ocorrido_em, a.id LIMIT %(limit)s) batch
 ORDER BY ocorrido_em, id LIMIT %(limit)s
