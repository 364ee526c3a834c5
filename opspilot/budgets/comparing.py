"""Does what the budgets say was spent stand in the trail, call for call? Nothing is changed.

Three comparisons, each in one statement, so that nothing is written between its two sides:
- of each run, what its settled calls cost and what its rows say;
- calls that were settled and that no row tells, although they are late;
- of each month, the company's account and the reservations under it.
A call whose cost nobody knows counts as the dearest in the budget and as unknown in the trail: then
only that both say so is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from django.db import connection

from audit.reports.kinds import Period
from opspilot.budgets import telling
from opspilot.tenancy.scope import current_tenant_id

Kind = Literal["run", "untold", "account"]
_NAMED = 100  # differences named one by one
# Reservations of a release that told nothing of what it settled have no `settled_at`.
_RUNS = """
WITH settled AS (
  SELECT r.run_ref, r.agent,
         coalesce(sum(r.spent) FILTER (WHERE r.known), 0) AS known,
         count(*) FILTER (WHERE NOT r.known) AS unknown, count(*) AS calls
    FROM budget_reservation r
   WHERE r.tenant_id = %(tenant)s AND r.told_at IS NOT NULL AND r.settled_at IS NOT NULL
     AND (r.run_ref, r.agent) IN (
         SELECT run_ref, agent FROM budget_reservation
          WHERE tenant_id = %(tenant)s AND told_at IS NOT NULL
            AND settled_at >= coalesce(%(since)s::timestamptz, '-infinity')
            AND settled_at < coalesce(%(until)s::timestamptz, 'infinity'))
   GROUP BY r.run_ref, r.agent
)
SELECT s.run_ref::text, s.agent, s.known, s.unknown, s.calls, t.said, t.silent
  FROM settled s CROSS JOIN LATERAL (
       SELECT coalesce(sum(a.custo_exato), 0) AS said,
              count(*) FILTER (WHERE NOT a.uso_conhecido) AS silent
         FROM agente_acao a
        WHERE a.tenant_id = %(tenant)s AND a.correlacao_id = s.run_ref AND a.agente = s.agent) t
"""
_UNTOLD = """
SELECT run_ref::text, sum(spent), count(*), min(settled_at) < clock_timestamp() - 2 * %(late)s
  FROM budget_reservation
 WHERE tenant_id = %(tenant)s AND settled_at IS NOT NULL AND told_at IS NULL
 GROUP BY run_ref
"""
_ACCOUNTS = """
SELECT a.period, a.spent, a.reserved, r.spent, r.held
  FROM budget_account a CROSS JOIN LATERAL (
       SELECT coalesce(sum(spent) FILTER (WHERE state = 'settled'), 0) AS spent,
              coalesce(sum(amount) FILTER (WHERE state = 'held'), 0) AS held
         FROM budget_reservation
        WHERE tenant_id = %(tenant)s AND month = a.period) r
 WHERE a.tenant_id = %(tenant)s AND a.scope = 'company'
   AND (a.spent, a.reserved) IS DISTINCT FROM (r.spent, r.held)
"""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """`where` is a run's id or a month."""

    kind: Kind
    where: str
    said: str


@dataclass(slots=True)
class Compared:
    """`told` is what runs of the period cost where that is known, `waiting` what runs that are still
    open have spent so far: theirs to tell."""

    runs: int = 0
    told: Decimal = Decimal(0)
    unknown: int = 0
    waiting: Decimal = Decimal(0)
    mismatches: list[Mismatch] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        return not self.mismatches


def compare(period: Period) -> Compared:
    """Inside the scope of one company."""
    found = Compared()
    since, until = period.since, period.until
    for run, agent, known, unknown, calls, said, silent in _rows(_RUNS, since=since, until=until):
        found.runs, found.told = found.runs + 1, found.told + known
        found.unknown += unknown
        # A row that does not know its cost may stand for several calls, and hides what is known.
        agrees = bool(silent) and said <= known if unknown else said == known and not silent
        if not agrees:
            text = f"{agent}: {calls} calls, {known} centavos and {unknown} unknown; "
            _name(found, Mismatch("run", run, f"{text}the trail says {said}, {silent} unknown"))
    for run, spent, calls, is_late in _rows(_UNTOLD, late=telling.LATE):
        found.waiting += spent
        if is_late:
            _name(found, Mismatch("untold", run, f"{calls} calls, {spent} centavos in no row"))
    for month, spent, reserved, settled, held in _rows(_ACCOUNTS):
        text = f"the account says {spent} spent and {reserved} held, its calls {settled} and {held}"
        _name(found, Mismatch("account", month, text))
    return found


def _rows(statement: str, **values: Any) -> Iterator[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"tenant": current_tenant_id()} | values)
        yield from cursor.fetchall()


def _name(found: Compared, mismatch: Mismatch) -> None:
    if len(found.mismatches) < _NAMED:
        found.mismatches.append(mismatch)
