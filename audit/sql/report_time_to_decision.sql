-- How long proposals wait from being prepared to being closed, by action and how they closed. Of several
-- votes the last one closes; a standing permission decides at once and is left out.
-- Index: agente_acao_quando, and agente_acao_correlacao for the preparation.
WITH fechada AS (
  SELECT DISTINCT ON (aprovacao_id) aprovacao_id, correlacao_id, ocorrido_em, acao AS decisao
    FROM agente_acao
   WHERE tenant_id = %(tenant_id)s
     AND (%(since)s::timestamptz IS NULL OR ocorrido_em >= %(since)s)
     AND (%(until)s::timestamptz IS NULL OR ocorrido_em < %(until)s)
     AND acao IN ('aprovacao.concedida', 'aprovacao.recusada', 'aprovacao.expirada',
                  'aprovacao.cancelada', 'aprovacao.devolvida')
     AND autorizacao <> 'previa' AND aprovacao_id IS NOT NULL
   ORDER BY aprovacao_id, ocorrido_em DESC, id DESC
), medida AS (
  SELECT p.acao, f.decisao, extract(epoch FROM f.ocorrido_em - p.ocorrido_em) AS segundos
    FROM fechada f
    JOIN LATERAL (
      SELECT acao, ocorrido_em FROM agente_acao
       WHERE tenant_id = %(tenant_id)s AND correlacao_id = f.correlacao_id
         AND aprovacao_id = f.aprovacao_id AND autorizacao = 'pendente' AND resultado = 'pendente'
       ORDER BY ocorrido_em, id LIMIT 1
    ) p ON true
), resumo AS (
  SELECT acao, decisao, count(*) AS propostas,
         round(percentile_cont(0.5) WITHIN GROUP (ORDER BY segundos))::bigint AS mediana_s,
         round(percentile_cont(0.9) WITHIN GROUP (ORDER BY segundos))::bigint AS p90_s,
         round(max(segundos))::bigint AS maior_s
    FROM medida GROUP BY acao, decisao
)
SELECT acao, decisao, propostas, mediana_s, p90_s, maior_s
  FROM resumo
 WHERE %(after_acao)s::text IS NULL
    OR (acao, decisao) > (%(after_acao)s::text, %(after_decisao)s::text)
 ORDER BY acao, decisao LIMIT %(limit)s
