-- What one person's decision on one proposal rests on, at one moment of the database's clock: their
-- roles, the roles it was given to, who lent them anything, the votes, the policy in force.
SELECT at, roles, given, lent, votes, newest
  FROM decision_moment(%(tenant_id)s, %(user_id)s, %(subject)s, %(approval_id)s)
