"""What models cost is told by the trail, once: by the row of the run that asked, whoever closes it.

    told = telling.tell(run_ref=run.ref)
    trail.record(trail.Entry(..., **told.columns()))

A worker that dies between a call and the end of its run leaves a reservation that is settled and
untold; one that dies in a call leaves it held, and it is settled as unknown once it has lapsed. The run's next owner takes it along. What nobody has taken along after LATE gets a row of its
own, so that the budget and the trail agree in the end whatever becomes of a run (I11).
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

import structlog
from django.db import connection

from audit import trail
from audit.vocabulary import Authorization, Result
from opspilot.budgets import spending
from opspilot.tenancy.scope import current_tenant_id, tenant_scope

log = structlog.get_logger(__name__)
LATE = dt.timedelta(hours=1)  # longer than any run lasts once it has been taken up
RULE = "custo-tardio-1"
_MOST = 500  # reservations told late at a time
_TELL = """
UPDATE budget_reservation SET told_at = clock_timestamp()
 WHERE tenant_id = %(tenant)s AND run_ref = %(run)s AND agent = %(agent)s
   AND settled_at IS NOT NULL AND told_at IS NULL
RETURNING spent, known, tokens_in, tokens_out
"""
# What the run's own end is telling at this moment is its own.
_TELL_LATE = """
UPDATE budget_reservation SET told_at = clock_timestamp()
 WHERE tenant_id = %(tenant)s AND id IN (
       SELECT id FROM budget_reservation
        WHERE tenant_id = %(tenant)s AND settled_at < clock_timestamp() - %(late)s
          AND told_at IS NULL
        ORDER BY id LIMIT %(most)s FOR UPDATE SKIP LOCKED)
RETURNING run_ref, agent, spent, known, tokens_in, tokens_out
"""


@dataclass(slots=True)
class Told:
    """Of some calls together. `cost` None: of one of them nobody knows it."""

    calls: int = 0
    cost: Decimal | None = Decimal(0)
    tokens_in: int = 0
    tokens_out: int = 0

    def add(self, spent: Decimal, known: bool, tokens_in: int, tokens_out: int) -> None:
        self.calls += 1
        self.cost = self.cost + spent if known and self.cost is not None else None
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out

    def columns(self) -> dict[str, Any]:
        """The trail's, about money and tokens."""
        return {
            "custo_exato": self.cost,
            "tokens_entrada": self.tokens_in,
            "tokens_saida": self.tokens_out,
        }


def tell(*, run_ref: UUID, agent: str = trail.CONSOLE) -> Told:
    """What the run's calls cost and no row says yet. The caller writes that row, for this agent and
    with the run's ref as its correlation, in the open transaction."""
    told = Told()
    with connection.cursor() as cursor:
        cursor.execute(_TELL, {"tenant": current_tenant_id(), "run": run_ref, "agent": agent})
        for row in cursor.fetchall():
            told.add(*row)
    return told


def tell_late() -> int:
    """In a company's scope: a row for each run whose calls nobody told. Returns how many rows."""
    values: dict[str, Any] = {"tenant": current_tenant_id(), "late": LATE, "most": _MOST}
    found: dict[tuple[UUID, str], Told] = defaultdict(Told)
    with connection.cursor() as cursor:
        cursor.execute(_TELL_LATE, values)
        for run_ref, agent, *row in cursor.fetchall():
            found[(run_ref, agent)].add(*row)
    trail.record_many(
        trail.Entry(
            correlacao_id=run_ref,
            agente=agent,
            acao="modelo.cobrado",
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            instrucao_hash=trail.rule_hash(RULE),
            saida_resumo=f"consultas: {told.calls}",
            **told.columns(),
        )
        for (run_ref, agent), told in found.items()
    )
    return len(found)


def sweep() -> None:
    """Of every company, each in a scope of its own."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id FROM trail_tenants()")
        tenants = [row[0] for row in cursor.fetchall()]
    for tenant_id in tenants:
        with tenant_scope(tenant_id):  # of its own: nobody waits for an account with the trail held
            spending.settle_lapsed()
        with tenant_scope(tenant_id):
            if rows := tell_late():
                log.warning("spend that no run told has rows of its own", rows=rows)
