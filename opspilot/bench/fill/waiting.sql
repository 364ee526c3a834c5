-- Proposals that wait: copies of the models, which the service made, with requesters, roles and
-- deadlines of their own. Run as the application's role, whose rows start to wait when inserted.
INSERT INTO agente_aprovacao (
  tenant_id, ref, correlacao_id, acao, proposta, risco, estado, expira_em, solicitante,
  solicitante_nome, justificativa, acao_hash, politica_versao, aprovacoes_exigidas, papel_exigido,
  executar_ate, versao_esquema, recursos, cobertura, evidencia)
SELECT m.tenant_id, gen_random_uuid(), gen_random_uuid(), m.acao, m.proposta, m.risco, 'pendente',
       now() + interval '2 hours' + power(random(), 3) * interval '7 days',
       'usuario:' || 900000 + n %% 40, 'operador ' || 1 + n %% 40, m.justificativa, m.acao_hash,
       m.politica_versao, m.aprovacoes_exigidas,
       CASE WHEN n %% 50 = 7 THEN 'admin' WHEN n %% 20 = 3 THEN 'conformidade' ELSE m.papel_exigido END,
       now() + interval '10 days', m.versao_esquema, m.recursos, m.cobertura, m.evidencia
  FROM generate_series(%(first)s::int, %(last)s::int) AS n
  JOIN agente_aprovacao m ON m.id = (%(models)s::bigint[])[1 + n %% cardinality(%(models)s::bigint[])]
