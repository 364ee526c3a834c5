-- The hashes that the rows of one sealed window carry, in the order in which they were sealed.
-- Answers "which way leads from this row up to the root that was signed". Index: agente_acao_quando.
SELECT id, linha_hash FROM agente_acao
 WHERE tenant_id = %(tenant_id)s AND ocorrido_em >= %(since)s AND ocorrido_em < %(until)s
 ORDER BY ocorrido_em, id
