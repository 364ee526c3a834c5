-- From when to when the rows around one run are read: its own, and so much before and after them.
-- Nothing of an unknown run. Answers what an answer covers. Index: agente_acao_correlacao.
SELECT min(ocorrido_em) - %(janela)s::interval, max(ocorrido_em) + %(janela)s::interval
  FROM agente_acao WHERE tenant_id = %(tenant_id)s AND correlacao_id = %(correlacao)s::uuid
