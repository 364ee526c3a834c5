-- What one person's decision on one proposal rests on, at one moment of the database's clock: their
-- roles, the roles it was given to, who lent them anything, the votes, the policy in force.
SELECT clock_timestamp(),
       (SELECT m.roles FROM membership m JOIN console_user u ON u.id = m.user_id AND u.is_active
         WHERE m.tenant_id = %(tenant_id)s AND m.user_id = %(user_id)s),
       ARRAY(SELECT to_role FROM approval_escalation
              WHERE tenant_id = %(tenant_id)s AND approval_id = %(approval_id)s),
       EXISTS (SELECT FROM approval_delegation
                WHERE tenant_id = %(tenant_id)s AND receiver = %(subject)s
                  AND ends_at > clock_timestamp()),
       ARRAY(SELECT ARRAY[subject, on_behalf_of] FROM approval_decision
              WHERE tenant_id = %(tenant_id)s AND approval_id = %(approval_id)s),
       policy.number, policy.sha256
  FROM (VALUES (1)) AS one
  LEFT JOIN (SELECT number, sha256 FROM policy_version
              WHERE tenant_id = %(tenant_id)s ORDER BY number DESC LIMIT 1) AS policy ON true
