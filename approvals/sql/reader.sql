-- Beside their own roles, what decides which proposals wait for a person: what others lent them and
-- still have themselves, what waits and was given to a role they have by either, while the policy
-- in force names that role, and the agents that they and those others answer for.
-- Indexes: approval_delegation_to, approval_escalation_to.
SELECT (SELECT coalesce(json_agg(json_build_object(
                 'giver', d.giver, 'giver_name', d.giver_name, 'ends_at', d.ends_at,
                 'roles', ARRAY(SELECT unnest(d.roles) INTERSECT SELECT unnest(m.roles)),
                 'agents', ARRAY(SELECT slug FROM agent a
                                  WHERE a.tenant_id = d.tenant_id AND a.owner_id = m.user_id))
               ORDER BY d.id), '[]')
          FROM approval_delegation d
          JOIN membership m ON m.tenant_id = d.tenant_id AND 'usuario:' || m.user_id = d.giver
          JOIN console_user u ON u.id = m.user_id AND u.is_active
         WHERE d.tenant_id = %(tenant_id)s AND d.receiver = %(me)s AND d.revoked_at IS NULL
           AND d.starts_at <= statement_timestamp() AND d.ends_at > statement_timestamp()) AS loans,
       ARRAY(SELECT slug FROM agent
              WHERE tenant_id = %(tenant_id)s AND owner_id = %(user_id)s) AS agents,
       (SELECT coalesce(json_agg(json_build_array(e.to_role, e.approval_id)), '[]')
          FROM approval_escalation e
          JOIN agente_aprovacao p ON p.tenant_id = e.tenant_id AND p.id = e.approval_id
          JOIN (SELECT document FROM policy_version WHERE tenant_id = %(tenant_id)s
                 ORDER BY number DESC LIMIT 1) v
            ON e.to_role = coalesce(v.document -> replace(p.acao, '.', '_'),
                                    v.document -> 'acoes_externas' -> p.acao)
                             -> 'escalonamento' ->> 'para_papel'
         WHERE e.tenant_id = %(tenant_id)s AND p.estado = 'pendente'
           AND e.to_role = ANY (ARRAY(
                 SELECT unnest(%(roles)s::text[])
                  UNION
                 SELECT unnest(d.roles) FROM approval_delegation d
                  WHERE d.tenant_id = %(tenant_id)s AND d.receiver = %(me)s AND d.revoked_at IS NULL
                    AND d.ends_at > statement_timestamp()))) AS given
