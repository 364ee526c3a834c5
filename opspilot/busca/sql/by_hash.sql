-- Proposals whose content hash, or whose reference, begins with these digits, newest first.
-- Answers somebody who holds the eight digits that a page or a print shows. Reads the newest 20,000
-- of the company, by their key.
SELECT ref
  FROM (SELECT id, ref, acao_hash FROM agente_aprovacao
         WHERE tenant_id = %(tenant_id)s ORDER BY id DESC LIMIT 20000) newest
 WHERE acao_hash LIKE %(prefix)s OR replace(ref::text, '-', '') LIKE %(prefix)s
 ORDER BY id DESC LIMIT %(limit)s
