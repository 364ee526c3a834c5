-- The second vote where two are asked for. In a statement of its own: the triggers of one statement
-- all count at its end, and the first of two votes would find both.
INSERT INTO approval_decision (tenant_id, approval_id, subject, subject_name, verdict, reason, seen_hash)
SELECT p.tenant_id, p.id, 'usuario:' || 910000 + (p.id + 1) %% 12, 'aprovador ' || 1 + (p.id + 1) %% 12,
       'aprovar', '', p.acao_hash
  FROM agente_aprovacao p
  JOIN approval_decision d ON d.tenant_id = p.tenant_id AND d.approval_id = p.id
 WHERE p.tenant_id = %(tenant_id)s AND p.estado = 'pendente'
