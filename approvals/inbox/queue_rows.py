"""Which proposals a queue holds, in which order, and what lies before and after one of them.

Everything here stays quick at any length: order and narrowing follow indexes, and a count goes no
further than BOUND. Row level security lets only leakproof comparisons use an index, so nothing
here compares inside the stored action.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.db.models import IntegerField, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable, Subquery

from approvals.deciders import delegation
from approvals.deciders.delegation import Reach
from approvals.inbox.queue_url import NO_COVERAGE, Queue
from approvals.models import (
    AgenteAprovacao,
    Execution,
    ExecutionState,
    State,
)
from opspilot.tenancy.principal import Principal

BOUND = 1000
"""How far a count goes; a page says "1.000+" of anything longer."""

Rows = QuerySet[AgenteAprovacao]
_NEWEST_FIRST = {
    "minhas": ("pk",),
    "todas": ("pk",),
    "decididas": ("decidida_em", "pk"),
}
_BY_DEADLINE = ("expira_em", "urgencia", "pk")
_BY_RISK = ("urgencia", "expira_em", "pk")
_RUNNING = (ExecutionState.RETIDA, ExecutionState.EM_ENVIO)
_STUCK = (ExecutionState.DESCONHECIDA, ExecutionState.DIVERGENTE, ExecutionState.BLOQUEADA)


class BoundedCount(Subquery):
    """How many rows a query finds; BOUND + 1 stands for any number over BOUND.

    Give it rows in an order that has an index: a limit without one is read from the whole table,
    where what waits now may lie behind years of what was decided.
    """

    template = "(SELECT count(*) FROM (%(subquery)s) counted)"

    def __init__(self, rows: Rows) -> None:
        super().__init__(rows.values("pk")[: BOUND + 1], output_field=IntegerField())


class Reader:
    """Somebody who looks at queues. What waits for them is resolved once, where it is needed, and
    asked of nobody where `reach` has been read already."""

    def __init__(self, principal: Principal, reach: Reach | None = None) -> None:
        self.principal, self._reach = principal, reach

    @cached_property
    def reach(self) -> Reach:
        return self._reach or delegation.reach_of(self.principal)

    @cached_property
    def wanted(self) -> Q:
        return delegation.waiting_for(self.principal, self.reach)

    def rows(self, queue: Queue) -> Rows:
        """Everything on all pages of the queue, in no order."""
        return _narrowed(self._tab(queue.tab), queue)

    def ordered(self, queue: Queue) -> Rows:
        """By deadline and then by risk, or the other way; tabs that look back, newest first."""
        return in_order(self.rows(queue), queue)

    def _tab(self, tab: str) -> Rows:
        found, me = AgenteAprovacao.objects.all(), self.principal.subject
        match tab:
            case "para-mim":
                return found.filter(self.wanted, estado=State.PENDENTE)
            case "minhas":
                return found.filter(solicitante=me)
            case "andamento":
                return found.filter(pk__in=_executions(*_RUNNING))
            case "desconhecido":
                return found.filter(pk__in=_executions(*_STUCK))
            case "decididas":
                return found.exclude(estado=State.PENDENTE)
            case _:
                return found


def in_order(rows: Rows, queue: Queue) -> Rows:
    backwards = "-" if queue.tab in _NEWEST_FIRST else ""
    return rows.order_by(*(f"{backwards}{name}" for name in _keys(queue)))


def beyond(rows: Rows, queue: Queue, place: dict[str, Any], *, before: bool = False) -> Rows:
    """Those that come after a place of the order, or before it; a place is the value, or the
    reference, of each key."""
    descending = queue.tab in _NEWEST_FIRST
    side = "lt" if descending != before else "gt"
    keys = _keys(queue)
    wanted = Q()
    for depth, name in enumerate(keys):
        tied = Q(**{earlier: place[earlier] for earlier in keys[:depth]})
        wanted |= tied & Q(**{f"{name}__{side}": place[name]})
    # Said once more of the first key alone: that is where an index starts.
    bound = Q(**{f"{keys[0]}__{side}e": place[keys[0]]})
    return rows.filter(bound, wanted)


def place_of(proposal: AgenteAprovacao, queue: Queue) -> dict[str, Any]:
    return {name: getattr(proposal, name) for name in _keys(queue)}


def outer_place(queue: Queue) -> dict[str, Combinable]:
    """The place of the row a subquery belongs to."""
    return {name: OuterRef(name) for name in _keys(queue)}


def _keys(queue: Queue) -> tuple[str, ...]:
    default = _BY_RISK if queue.ordem else _BY_DEADLINE
    return _NEWEST_FIRST.get(queue.tab, default)


def _narrowed(found: Rows, queue: Queue) -> Rows:
    if queue.risco:
        found = found.filter(risco=queue.risco)
    if queue.alvo:
        found = found.filter(alvo=queue.alvo)
    if queue.por:
        found = found.filter(solicitante=queue.subject)
    if queue.cobertura == NO_COVERAGE:
        return found.filter(cobertura=None)
    return found.filter(cobertura=queue.cobertura) if queue.cobertura else found


def _executions(*states: ExecutionState) -> QuerySet[Execution, Any]:
    return Execution.objects.filter(state__in=states).values("approval_id")
