-- A row of the trail for each proposal that is not waiting any more.
INSERT INTO agente_acao (
  tenant_id, correlacao_id, agente, agente_versao, modelo, instrucao_hash, acao, resultado,
  autorizacao, aprovacao_id, politica_versao, entrada_resumo)
SELECT tenant_id, correlacao_id, 'console', 'console@0.1.0', 'nenhum', acao_hash,
       CASE estado WHEN 'aprovada' THEN 'aprovacao.concedida' WHEN 'recusada' THEN 'aprovacao.recusada'
                   WHEN 'expirada' THEN 'aprovacao.expirada' WHEN 'devolvida' THEN 'aprovacao.devolvida'
                   ELSE 'aprovacao.cancelada' END,
       CASE estado WHEN 'aprovada' THEN 'ok' WHEN 'expirada' THEN 'expirado' ELSE 'recusado' END,
       'humana', id, politica_versao, 'sha256 ' || acao_hash
  FROM agente_aprovacao WHERE tenant_id = %(tenant_id)s AND estado <> 'pendente'
