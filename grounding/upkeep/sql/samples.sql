-- Points between two passages' vectors, as questions for the recall check: another draw every day. A
-- passage's own vector would be its own best answer.
WITH drawn AS (
  SELECT e.embedding, row_number() OVER (ORDER BY md5(e.chunk_id::text || %(seed)s)) AS place
    FROM chunk_vector e
   WHERE e.tenant_id = %(tenant_id)s AND e.space = %(space)s
   ORDER BY place LIMIT 2 * %(limit)s
)
SELECT (one.embedding + other.embedding)::text
  FROM drawn one JOIN drawn other ON other.place = one.place + 1
 WHERE one.place %% 2 = 1
