-- Spreads what was just inserted over half a year. Run by the server's superuser with its triggers
-- asleep: the application cannot write a past.
SET LOCAL session_replication_role = replica;
UPDATE agente_aprovacao
   SET criada_em = criada_em - random() * interval '3 days'
 WHERE estado = 'pendente';
UPDATE agente_aprovacao p
   SET criada_em = decidida_em - ago - taken, decidida_em = decidida_em - ago,
       expira_em = expira_em - ago, executar_ate = executar_ate - ago
  FROM (SELECT id, power(random(), 2) * interval '180 days' AS ago,
               interval '2 seconds' + power(random(), 4) * interval '4 hours' AS taken
          FROM agente_aprovacao WHERE estado <> 'pendente') AS past
 WHERE p.id = past.id;
UPDATE approval_decision d SET decided_at = p.decidida_em
  FROM agente_aprovacao p WHERE p.id = d.approval_id AND p.estado <> 'pendente';
