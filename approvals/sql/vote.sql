-- Writes one verdict and answers with what became of the proposal: the triggers check the vote, count
-- it and move the state. The last approval queues the effect, where `queues` says that it is ours to
-- carry out, and not before the moment the requester chose. One text, sent at once; on an error the caller goes back to the savepoint.
-- The caller adds the row of the trail and releases the savepoint.
SAVEPOINT vote;

INSERT INTO approval_decision (tenant_id, approval_id, subject, subject_name, verdict, reason,
                               seen_hash, on_behalf_of, on_behalf_of_name)
VALUES (%(tenant_id)s, %(approval_id)s, %(subject)s, %(subject_name)s, %(verdict)s, %(reason)s,
        %(seen_hash)s, %(on_behalf_of)s, %(on_behalf_of_name)s);

-- A statement of its own: the one before it cannot see what its AFTER triggers did.
SELECT estado, decidida_em, decidida_por, motivo
  FROM after_the_vote(%(tenant_id)s, %(approval_id)s, %(queues)s, %(marker)s, %(hold_seconds)s);
