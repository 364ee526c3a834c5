-- Of some proposals: to whom else each was given and whose power its votes used; and the roles of
-- everybody active. Indexes: approval_escalation_once, approval_decision_once.
SELECT (SELECT coalesce(json_agg(json_build_array(m.user_id, m.roles)), '[]')
          FROM membership m JOIN console_user u ON u.id = m.user_id AND u.is_active
         WHERE m.tenant_id = %(tenant_id)s) AS holders,
       (SELECT coalesce(json_agg(json_build_array(e.approval_id, e.to_role)), '[]')
          FROM approval_escalation e
         WHERE e.tenant_id = %(tenant_id)s AND e.approval_id = ANY (%(proposals)s)) AS given,
       (SELECT coalesce(json_agg(json_build_array(
                 d.approval_id, coalesce(nullif(d.on_behalf_of, ''), d.subject))), '[]')
          FROM approval_decision d
         WHERE d.tenant_id = %(tenant_id)s AND d.approval_id = ANY (%(proposals)s)) AS voted
