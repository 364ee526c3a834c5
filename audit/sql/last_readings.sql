-- When each named query was last asked, by its slug, among the newest 2,000 readings.
-- Answers the library's "última vez". Index: agente_acao_leituras.
WITH lida AS (
  SELECT fontes -> 0 ->> 'consulta' AS consulta, ocorrido_em
    FROM agente_acao
   WHERE tenant_id = %(tenant_id)s
     AND acao IN ('historico.lido', 'exportacao.gerada', 'exportacao.baixada', 'acessos.exportados')
   ORDER BY ocorrido_em DESC, id DESC LIMIT 2000
)
SELECT consulta, max(ocorrido_em) FROM lida WHERE consulta IS NOT NULL GROUP BY consulta
