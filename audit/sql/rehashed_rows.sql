-- audit/sql/rehashed_rows.sql — The trail's rows in a span of time, oldest first, each with its hash
-- recomputed from its own fields beside the hash it carries.
-- Answers: the verification of the seals, and the seal itself. Index: agente_acao_quando.
SELECT a.ocorrido_em, a.id,
       sha256(convert_to((to_jsonb(a) - 'linha_hash')::text, 'UTF8')),
       a.linha_hash
  FROM agente_acao a
 WHERE a.tenant_id = %(tenant_id)s
   AND a.ocorrido_em >= %(since)s::timestamptz AND a.ocorrido_em < %(until)s::timestamptz
 ORDER BY a.ocorrido_em, a.id
