-- The proposals that people decided in the last 24 hours: in which two-hour step, after how long.
-- Answers "how fast is deciding". Index: agente_acao_quando for the rows of the day, then the key
-- of each proposal they name.
WITH votes AS (
  SELECT DISTINCT aprovacao_id
    FROM agente_acao
   WHERE tenant_id = %(tenant_id)s AND ocorrido_em > now() - interval '24 hours'
     AND acao IN ('aprovacao.concedida', 'aprovacao.recusada', 'aprovacao.devolvida') AND aprovacao_id IS NOT NULL
)
SELECT least(12, 12 - floor(extract(epoch FROM now() - p.decidida_em) / 7200))::int AS step,
       extract(epoch FROM p.decidida_em - p.criada_em)::float8
  FROM votes v JOIN agente_aprovacao p ON p.tenant_id = %(tenant_id)s AND p.id = v.aprovacao_id
 WHERE p.estado IN ('aprovada', 'recusada', 'devolvida')
   AND p.decidida_em > now() - interval '24 hours' AND p.decidida_em <= now()
