-- Proposals whose title, project or alias holds these words, newest first.
-- Answers the search box. Reads the newest 1,000 of the company, by their key.
SELECT ref
  FROM (SELECT id, ref, proposta FROM agente_aprovacao
         WHERE tenant_id = %(tenant_id)s ORDER BY id DESC LIMIT 1000) newest
 WHERE translate(lower(concat_ws(' ', proposta ->> 'title', proposta -> 'target' ->> 'project_path',
                                 proposta ->> 'alias')),
                 'áàâãäéèêëíìîïóòôõöúùûüçñ', 'aaaaaeeeeiiiiooooouuuucn') LIKE %(pattern)s
 ORDER BY id DESC LIMIT %(limit)s
