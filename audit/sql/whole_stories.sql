-- Up to a number of rows of each of these runs, in any order: a run with as many is too long to be
-- told whole on a page. Only the months around the page are looked into.
-- Answers one page of a history. Index: agente_acao_correlacao.
SELECT line.*
  FROM unnest(%(runs)s::uuid[]) AS run
 CROSS JOIN LATERAL (
  SELECT id, ocorrido_em, correlacao_id, agente, acao, resultado, autorizacao, aprovado_por,
         politica_versao, fontes, entrada_resumo, saida_resumo, custo_exato, reversivel, reversao_ref, erro,
         aprovacao_id, duracao_ms, entidade_tipo, entidade_id, agente_versao, modelo, instrucao_hash,
         tokens_entrada, tokens_saida
    FROM agente_acao
   WHERE tenant_id = %(tenant_id)s AND correlacao_id = run
     AND ocorrido_em >= %(from)s AND ocorrido_em < %(upto)s
   LIMIT %(limit)s
 ) line
