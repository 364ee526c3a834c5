-- The titles of other proposals of the same kind and target, the newest first: those that people
-- decided before this one was closed, and those that wait beside it.
-- Indexes: agente_aprovacao_decididas, agente_aprovacao_mesmo_destino.
SELECT (SELECT coalesce(json_agg(json_build_array(p.id, p.title)), '[]')
          FROM (SELECT id, proposta ->> 'title' AS title FROM agente_aprovacao
                 WHERE tenant_id = %(tenant_id)s AND acao = %(kind)s
                   AND (destino_hash = %(target)s OR %(target)s::text IS NULL AND destino_hash IS NULL)
                   AND estado IN ('aprovada', 'recusada')
                   AND id <> %(here)s AND (%(pending)s OR id < %(here)s)
                 ORDER BY id DESC LIMIT %(most_decided)s) p) AS decided,
       (SELECT coalesce(json_agg(json_build_array(p.ref, p.title, p.solicitante_nome)), '[]')
          FROM (SELECT ref, proposta ->> 'title' AS title, solicitante_nome FROM agente_aprovacao
                 WHERE %(pending)s AND tenant_id = %(tenant_id)s AND acao = %(kind)s
                   AND (destino_hash = %(target)s OR %(target)s::text IS NULL AND destino_hash IS NULL)
                   AND estado = 'pendente' AND id <> %(here)s
                 ORDER BY id DESC LIMIT %(most_waiting)s) p) AS waiting
