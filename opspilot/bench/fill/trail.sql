-- Rows of the trail over the past months, five hours a day, as many of each entity as its stride says;
-- four successive rows of an entity are one run. Run by the server's superuser, who alone can write a
-- past; the trail's own trigger gives each row its hash. `tenth` chooses one row in ten (and all of the
-- small entity), or the others.
INSERT INTO agente_acao (
  tenant_id, ocorrido_em, correlacao_id, agente, agente_versao, modelo, instrucao_hash, acao,
  entidade_tipo, entidade_id, resultado, autorizacao, aprovado_por, politica_versao, fontes,
  entrada_resumo, saida_resumo, tokens_entrada, tokens_saida, custo_exato, duracao_ms, reversivel)
SELECT %(tenant)s,
       %(first)s + floor(place) * interval '1 day' + interval '12 hours'
         + (place - floor(place)) * interval '5 hours',
       md5(who || ' ' || n / (stride * 4))::uuid, 'atendimento', 'atendimento@1.0.0', 'nenhum',
       md5('regra') || md5('regra'),
       (ARRAY['conhecimento.consultado', 'aprovacao.concedida', 'issue.criada', 'issue.fechada'])[1 + step],
       'cliente', who, CASE WHEN n %% 97 = 5 THEN 'recusado' ELSE 'ok' END,
       CASE WHEN step = 0 THEN 'regra' ELSE 'humana' END,
       CASE WHEN step > 0 THEN 'aprovador 1 (usuario:1)' END, 1,
       CASE WHEN step = 0 THEN '[{"documento": "Fila parada", "versao": 3, "trecho": 7}]'::jsonb ELSE '[]' END,
       'pedido ' || n, 'A fila voltou a andar; a hora do retorno foi registrada no pedido ' || n || '.',
       n %% 900, n %% 300, CASE WHEN n %% 50 <> 9 THEN (n %% 700) / 1000.0 END, n %% 2000, step = 2
  FROM (
    SELECT n, who, stride, n / stride %% 4 AS step,
           (n - 1)::float8 / %(rows)s * %(days)s AS place
      FROM generate_series(%(from)s::int, %(upto)s::int) AS n
     CROSS JOIN LATERAL (
       SELECT CASE WHEN n %% %(small_every)s = 3 THEN %(small)s::text
                   WHEN n %% %(large_every)s = 0 THEN %(large)s
                   WHEN n %% %(middle_every)s = 1 THEN %(middle)s
                   WHEN n %% 7 < 5 THEN %(huge)s
                   ELSE md5('cliente ' || n / 40 %% 4000)::uuid::text END AS who,
              CASE WHEN n %% %(small_every)s = 3 THEN %(small_every)s
                   WHEN n %% %(large_every)s = 0 THEN %(large_every)s
                   WHEN n %% %(middle_every)s = 1 THEN %(middle_every)s ELSE 10 END::int AS stride) AS one
     WHERE (n %% 10 = 0 OR n %% %(small_every)s = 3) = %(tenth)s) AS made
