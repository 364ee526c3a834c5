-- Work handed over to people, beside the effects that were carried out. Index: agente_acao_quando,
-- the newest rows first.
SELECT ocorrido_em >= now() - %(days)s * interval '1 day' AS now_on,
       count(*) FILTER (WHERE acao = 'repasse.humano'),
       count(*) FILTER (WHERE acao = ANY (%(effects)s) AND autorizacao <> 'pendente' AND resultado = 'ok')
  FROM (SELECT ocorrido_em, acao, autorizacao, resultado FROM agente_acao
         WHERE tenant_id = %(tenant_id)s AND ocorrido_em >= now() - 2 * %(days)s * interval '1 day'
         ORDER BY ocorrido_em DESC, id DESC LIMIT %(most)s) AS lines
 GROUP BY now_on
