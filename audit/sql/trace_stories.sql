-- The first stories of one entity's trace, a story being what one run did about it, each with its first
-- rows; how many rows and how many stories there are stands on every line. Reading the history is no story.
-- Answers the summary a person reads. Index: agente_acao_entidade.
WITH stories AS (
  SELECT correlacao_id, min(ocorrido_em) AS began, count(*) AS of_story, count(*) OVER () AS of_all
    FROM agente_acao
   WHERE tenant_id = %(tenant_id)s AND entidade_tipo = %(entity_type)s
     AND entidade_id = ANY(%(entity_ids)s) AND ocorrido_em < %(until)s
     AND acao <> 'historico.lido'
   GROUP BY correlacao_id ORDER BY began, correlacao_id LIMIT %(limit)s
)
SELECT s.correlacao_id, s.of_story, s.of_all, r.ocorrido_em, r.acao, r.resultado, r.autorizacao,
       r.saida_resumo
  FROM stories s
 CROSS JOIN LATERAL (
   SELECT a.ocorrido_em, a.id, a.acao, a.resultado, a.autorizacao, a.saida_resumo
     FROM agente_acao a
    WHERE a.tenant_id = %(tenant_id)s AND a.correlacao_id = s.correlacao_id
      AND a.entidade_tipo = %(entity_type)s AND a.entidade_id = ANY(%(entity_ids)s)
      AND a.ocorrido_em < %(until)s AND a.acao <> 'historico.lido'
    ORDER BY a.ocorrido_em, a.id LIMIT %(most)s) r
 ORDER BY s.began, s.correlacao_id, r.ocorrido_em, r.id
