-- The terms of one chunk with their counts, as two arrays side by side: a chunk has about a hundred,
-- and a statement's parameter for each took seconds a document.
INSERT INTO posting (tenant_id, chunk_id, term, frequency)
SELECT %(tenant_id)s, %(chunk_id)s, term, frequency
  FROM unnest(%(terms)s::text[], %(counts)s::integer[]) AS given (term, frequency)
