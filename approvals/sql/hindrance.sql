-- Whether an emergency stop in force holds one proposal, and which policy counts now. The lock comes
-- first, and in a statement of its own: what is read after it is what every stop before it wrote.
-- A connector that is not known is held by a stop of any. Index: emergency_stop_tenant_id.
SELECT pg_advisory_xact_lock_shared(22283, hashtext(%(tenant_id)s::text));

SELECT clock_timestamp(),
       EXISTS (
         SELECT FROM emergency_stop s
          WHERE s.tenant_id = %(tenant_id)s
            AND (s.scope = 'empresa' OR (s.scope = 'agente' AND s.subject = %(agent)s)
                 OR (s.scope = 'conector' AND s.subject = coalesce(%(connector)s, s.subject)))
            AND NOT EXISTS (SELECT FROM emergency_stop_lift l
                             WHERE l.tenant_id = s.tenant_id AND l.stop_id = s.id)),
       policy.number, policy.sha256
  FROM (VALUES (1)) AS one
  LEFT JOIN (SELECT number, sha256 FROM policy_version
              WHERE tenant_id = %(tenant_id)s ORDER BY number DESC LIMIT 1) AS policy ON true
