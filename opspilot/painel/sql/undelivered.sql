-- Notices that did not leave in the last week, and those put off that wait for another try.
-- Answers "does what we tell people arrive". Index: notice_by_state.
SELECT count(*) FILTER (WHERE state = 'falhou'), count(*) FILTER (WHERE state = 'pendente')
  FROM notice
 WHERE tenant_id = %(tenant_id)s AND kind <> 'teste'
   AND (state = 'falhou' AND settled_at > now() - interval '7 days'
     OR state = 'pendente' AND outcome <> '')
