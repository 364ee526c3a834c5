-- Proposals with their verdicts, as the application's role: the trigger moves each state. Of a
-- hundred 70 are approved, 14 refused, 10 expired, 4 sent back, 2 cancelled.
WITH made AS (
  INSERT INTO agente_aprovacao (
    tenant_id, ref, correlacao_id, acao, proposta, risco, estado, expira_em, solicitante,
    solicitante_nome, justificativa, acao_hash, politica_versao, aprovacoes_exigidas, papel_exigido,
    executar_ate, versao_esquema, recursos, cobertura, evidencia)
  SELECT m.tenant_id, gen_random_uuid(), gen_random_uuid(), m.acao, m.proposta, m.risco, 'pendente',
         now() + CASE WHEN n %% 100 BETWEEN 84 AND 93 THEN interval '-1 hour' ELSE interval '4 hours' END,
         'usuario:' || 900000 + n %% 40, 'operador ' || 1 + n %% 40, m.justificativa, m.acao_hash,
         m.politica_versao, m.aprovacoes_exigidas, m.papel_exigido, now() + interval '6 hours',
         m.versao_esquema, m.recursos, m.cobertura, m.evidencia
    FROM generate_series(%(first)s::int, %(last)s::int) AS n
    JOIN agente_aprovacao m ON m.id = (%(models)s::bigint[])[1 + n %% cardinality(%(models)s::bigint[])]
  RETURNING tenant_id, id, acao_hash, aprovacoes_exigidas, solicitante, solicitante_nome, expira_em
), judged AS (
  SELECT made.*, CASE WHEN expira_em < now() THEN 'expirar' WHEN id %% 90 < 70 THEN 'aprovar'
                      WHEN id %% 90 < 84 THEN 'recusar' WHEN id %% 90 < 88 THEN 'devolver'
                      ELSE 'cancelar' END AS verdict
    FROM made
)
INSERT INTO approval_decision (tenant_id, approval_id, subject, subject_name, verdict, reason, seen_hash)
SELECT tenant_id, id,
       CASE verdict WHEN 'expirar' THEN 'sistema' WHEN 'cancelar' THEN solicitante
                    ELSE 'usuario:' || 910000 + id %% 12 END,
       CASE verdict WHEN 'expirar' THEN 'sistema' WHEN 'cancelar' THEN solicitante_nome
                    ELSE 'aprovador ' || 1 + id %% 12 END,
       verdict, CASE WHEN verdict IN ('recusar', 'devolver') THEN 'Falta a janela de manutenção.' ELSE '' END,
       acao_hash
  FROM judged
