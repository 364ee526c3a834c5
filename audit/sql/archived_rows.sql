-- audit/sql/archived_rows.sql — One company's rows of a month, each whole as one JSON text.
-- Answers: the archive written before a month is dropped. Index: agente_acao_quando.
SELECT to_jsonb(a)::text
  FROM agente_acao a
 WHERE a.tenant_id = %(tenant_id)s
   AND a.ocorrido_em >= %(since)s AND a.ocorrido_em < %(until)s
 ORDER BY a.ocorrido_em, a.id
