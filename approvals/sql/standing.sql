-- The approvals of exactly this content, with what tells which of them still stand: everybody's roles
-- now, and the roles it was given to besides its own. Indexes: approval_decision_once,
-- approval_escalation_once.
SELECT (SELECT coalesce(json_agg(json_build_array(m.user_id, m.roles)), '[]')
          FROM membership m JOIN console_user u ON u.id = m.user_id AND u.is_active
         WHERE m.tenant_id = %(tenant_id)s) AS holders,
       (SELECT coalesce(json_agg(e.to_role), '[]') FROM approval_escalation e
         WHERE e.tenant_id = %(tenant_id)s AND e.approval_id = %(approval)s) AS given,
       (SELECT coalesce(json_agg(json_build_array(d.subject, d.on_behalf_of)), '[]')
          FROM approval_decision d
         WHERE d.tenant_id = %(tenant_id)s AND d.approval_id = %(approval)s
           AND d.verdict = 'aprovar' AND d.seen_hash = %(seen_hash)s) AS votes
