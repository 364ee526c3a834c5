-- All that hangs on one proposal, and the moment it was read; what only a pending one is asked about
-- is left out of a closed one. Indexes: those by which each table is unique by proposal,
-- approval_comment_of and agente_aprovacao_sobre.
SELECT clock_timestamp() AS now,
       (SELECT coalesce(json_agg(d ORDER BY d.id), '[]') FROM approval_decision d
         WHERE d.tenant_id = %(tenant_id)s AND d.approval_id = %(here)s) AS decisions,
       (SELECT coalesce(json_agg(e ORDER BY e.id), '[]') FROM approval_escalation e
         WHERE e.tenant_id = %(tenant_id)s AND e.approval_id = %(here)s) AS escalations,
       (SELECT coalesce(json_agg(c ORDER BY c.id), '[]')
          FROM (SELECT * FROM approval_comment
                 WHERE tenant_id = %(tenant_id)s AND approval_id = %(here)s
                 ORDER BY id DESC LIMIT %(comments)s) c) AS comments,
       (SELECT to_json(x) FROM execution x
         WHERE x.tenant_id = %(tenant_id)s AND x.approval_id = %(here)s) AS execution,
       (SELECT coalesce(json_agg(a ORDER BY a.id), '[]')
          FROM execution x
          JOIN execution_attempt a ON a.tenant_id = x.tenant_id AND a.execution_id = x.id
         WHERE x.tenant_id = %(tenant_id)s AND x.approval_id = %(here)s) AS attempts,
       (SELECT coalesce(json_agg(json_build_array(f.ref, f.acao, f.estado, x.state) ORDER BY f.id),
                        '[]')
          FROM agente_aprovacao f
          LEFT JOIN execution x ON x.tenant_id = f.tenant_id AND x.approval_id = f.id
         WHERE f.tenant_id = %(tenant_id)s AND f.sobre_id = %(here)s) AS about,
       (SELECT to_json(u) FROM approval_consumption u
         WHERE u.tenant_id = %(tenant_id)s AND u.approval_id = %(here)s) AS consumption,
       (SELECT to_json(r)
          FROM approval_consumption u
          JOIN approval_effect r ON r.tenant_id = u.tenant_id AND r.consumption_id = u.id
         WHERE u.tenant_id = %(tenant_id)s AND u.approval_id = %(here)s) AS report,
       (SELECT to_json(l) FROM open_issue_list l
         WHERE %(pending)s AND l.tenant_id = %(tenant_id)s AND l.destino_hash = %(target)s) AS issues,
       (SELECT coalesce(json_agg(json_build_array(m.user_id, m.roles)), '[]')
          FROM membership m JOIN console_user u ON u.id = m.user_id AND u.is_active
         WHERE %(pending)s AND m.tenant_id = %(tenant_id)s) AS holders,
       (SELECT coalesce(json_agg(json_build_array(v.number, v.sha256)), '[]') FROM policy_version v
         WHERE v.tenant_id = %(tenant_id)s
           AND v.number IN (%(made_under)s, (SELECT max(number) FROM policy_version
                                              WHERE tenant_id = %(tenant_id)s))) AS versions
