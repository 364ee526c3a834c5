-- Verdicts of people, and those given within five seconds of the same person's verdict before: nobody
-- reads a proposal in that time. Index: approval_decision_quando, the newest rows first.
SELECT decided_at >= now() - %(days)s * interval '1 day' AS now_on, count(*),
       count(*) FILTER (WHERE gap < interval '5 seconds')
  FROM (SELECT decided_at, decided_at - lag(decided_at) OVER (PARTITION BY subject ORDER BY decided_at) AS gap
          FROM (SELECT subject, decided_at FROM approval_decision
                 WHERE tenant_id = %(tenant_id)s AND verdict IN ('aprovar', 'recusar', 'devolver')
                   AND starts_with(subject, 'usuario:')
                   AND decided_at >= now() - 2 * %(days)s * interval '1 day'
                 ORDER BY decided_at DESC LIMIT %(most)s) AS given) AS spaced
 GROUP BY now_on
