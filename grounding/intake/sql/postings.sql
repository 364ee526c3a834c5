-- The terms of some chunks with their counts, as three arrays side by side: a chunk has about a hundred,
-- and a statement's parameter for each, or a statement for each chunk, took seconds a document.
INSERT INTO posting (tenant_id, chunk_id, term, frequency)
SELECT %(tenant_id)s, chunk_id, term, frequency
  FROM unnest(%(chunks)s::bigint[], %(terms)s::text[], %(counts)s::integer[])
       AS given (chunk_id, term, frequency)
