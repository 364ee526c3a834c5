-- What the worker still has to do, and since when the oldest of it waits.
-- Answers "is the queue moving". Indexes, all partial: run_open, upload_open, execution_open.
SELECT count(*), min(since) FROM (
  SELECT created_at AS since FROM run
   WHERE tenant_id = %(tenant_id)s AND state IN ('queued', 'running')
  UNION ALL
  SELECT created_at FROM upload
   WHERE tenant_id = %(tenant_id)s AND state IN ('uploaded', 'extracted')
  UNION ALL
  SELECT not_before FROM execution
   WHERE tenant_id = %(tenant_id)s AND state IN ('retida', 'em_envio') AND not_before <= now()
) waiting
