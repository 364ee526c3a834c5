-- What the trail saw in the last 24 hours, in twelve steps of two hours; step 1 is the oldest.
-- Answers the dashboard's numbers of the day. Index: agente_acao_quando, in the newest months only.
SELECT least(12, 12 - floor(extract(epoch FROM now() - ocorrido_em) / 7200))::int AS step,
       count(*) FILTER (WHERE acao = 'aprovacao.expirada'),
       count(*) FILTER (WHERE acao = 'repasse.humano'),
       count(*) FILTER (WHERE acao = ANY (%(effects)s) AND autorizacao <> 'pendente' AND resultado = 'ok'),
       coalesce(sum(custo_exato), 0),
       count(*) FILTER (WHERE custo_exato IS NULL)
  FROM agente_acao
 WHERE tenant_id = %(tenant_id)s
   AND ocorrido_em > now() - interval '24 hours' AND ocorrido_em <= now()
 GROUP BY step ORDER BY step
