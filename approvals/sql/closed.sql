-- How what ended in a period ended and how long people took, and the same of the period before it.
-- Seconds are from the proposal's creation to the decision that closed it; what expired or was
-- cancelled was decided by nobody, what a rule or a standing permission approved by no person.
-- Index: agente_aprovacao_encerradas, the newest rows first.
SELECT decidida_em >= now() - %(days)s * interval '1 day' AS now_on,
       count(*) FILTER (WHERE estado = 'aprovada'), count(*) FILTER (WHERE estado = 'recusada'),
       count(*) FILTER (WHERE estado = 'devolvida'), count(*) FILTER (WHERE estado = 'expirada'),
       count(*) FILTER (WHERE estado = 'cancelada'),
       percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) FILTER (WHERE by_people),
       percentile_cont(0.9) WITHIN GROUP (ORDER BY seconds) FILTER (WHERE by_people),
       count(*) FILTER (WHERE by_people AND seconds < 5),
       count(*) FILTER (WHERE estado = 'aprovada' AND NOT by_people)
  FROM (SELECT decidida_em, estado, estado IN ('aprovada', 'recusada', 'devolvida')
               AND strpos(decidida_por, '(usuario:') > 0 AS by_people,
               extract(epoch FROM decidida_em - criada_em)::float8 AS seconds
          FROM agente_aprovacao
         WHERE tenant_id = %(tenant_id)s AND estado <> 'pendente'
           AND decidida_em >= now() - 2 * %(days)s * interval '1 day' AND decidida_em <= now()
         ORDER BY decidida_em DESC LIMIT %(most)s) AS closed
 GROUP BY now_on
