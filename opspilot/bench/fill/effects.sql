-- The effects of what was approved: nearly all carried out, a few in the states that wait.
INSERT INTO execution (tenant_id, approval_id, state, reason, marker, versao_esquema, not_before, attempts, lookups, remote)
SELECT p.tenant_id, p.id,
       CASE WHEN p.id %% 1000 < 3 THEN 'desconhecida' WHEN p.id %% 1000 < 9 THEN 'bloqueada'
            WHEN p.id %% 1000 < 10 THEN 'divergente' WHEN p.id %% 1000 < 14 THEN 'retida' ELSE 'concluida' END,
       '', 'opspilot:' || left(p.acao_hash, 32), p.versao_esquema, now() + interval '1 day', 1, 0, '{}'
  FROM agente_aprovacao p
 WHERE p.tenant_id = %(tenant_id)s AND p.estado = 'aprovada'
   AND NOT EXISTS (SELECT FROM execution e WHERE e.tenant_id = p.tenant_id AND e.approval_id = p.id)
