-- The runs the trail saw last, each with its newest row. Answers "what happened here lately" for
-- somebody who has no customer and no run at hand. Index: agente_acao_quando.
WITH newest AS (
  SELECT id, ocorrido_em, correlacao_id, acao, resultado, entrada_resumo, aprovado_por,
         saida_resumo
    FROM agente_acao
   WHERE tenant_id = %(tenant_id)s AND acao <> 'historico.lido'
   ORDER BY ocorrido_em DESC, id DESC LIMIT 500
)
SELECT DISTINCT ON (correlacao_id)
       correlacao_id, ocorrido_em, acao, resultado, entrada_resumo, aprovado_por, saida_resumo
  FROM newest ORDER BY correlacao_id, ocorrido_em DESC, id DESC
