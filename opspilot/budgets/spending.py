"""Reserve before a model is called, settle after: no sum of calls under way passes a limit.

    held = spending.reserve(run_ref=run.ref, agent="console", amount=dearest)
    ... the call, with no transaction open ...
    spending.settle(held, cost)

Each of the three accounts (company, agent, run) is one row: the condition and the addition are one
statement under its lock, in one order, so two callers cannot both have the last centavo.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection
from django.db.models import Q
from django.db.models.functions import Now

from audit import days
from opspilot.budgets import limits
from opspilot.budgets.models import Account, Reservation, ReservationState, Scope
from opspilot.tenancy import clock
from opspilot.tenancy.scope import current_tenant_id

# Longer than any call may last: the longest time-out of a provider, and what it takes to settle.
GRACE = dt.timedelta(seconds=180)
_SMALLEST = Decimal("0.000001")  # centavos that the accounts' columns keep
_ADD = """
INSERT INTO budget_account AS a (tenant_id, scope, subject, period, reserved, spent)
VALUES (%(tenant)s, %(scope)s, %(subject)s, %(period)s, %(amount)s, 0)
ON CONFLICT (tenant_id, scope, subject, period) DO UPDATE SET reserved = a.reserved + %(amount)s
 WHERE %(limit)s::numeric IS NULL OR a.reserved + a.spent + %(amount)s <= %(limit)s::numeric
RETURNING true
"""
_TAKE_BACK = """
UPDATE budget_account SET reserved = reserved - %(amount)s, spent = spent + %(spent)s
 WHERE tenant_id = %(tenant)s AND scope = %(scope)s AND subject = %(subject)s AND period = %(period)s
"""
# What another session is settling meanwhile is its own.
_LAPSED = """
UPDATE budget_reservation
   SET state = 'settled', spent = amount, known = false, settled_at = clock_timestamp()
 WHERE tenant_id = %(tenant)s AND id IN (
       SELECT id FROM budget_reservation
        WHERE tenant_id = %(tenant)s AND state = 'held' AND until < clock_timestamp()
        ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED)
RETURNING agent, run_ref, month, amount
"""


class NoBudgetError(Exception):
    """Nobody has said what the company may spend: then nothing is."""


class SpentError(Exception):
    """`scope` has no room for the dearest this call could be."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(f"the budget of {scope} is used up")
        self.scope = scope


@dataclass(frozen=True, slots=True)
class Held:
    """A reservation of one call."""

    ref: UUID
    run_ref: UUID
    agent: str
    month: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class _Key:
    scope: Scope
    subject: str
    period: str


def reserve(*, run_ref: UUID, agent: str, amount: Decimal) -> Held:
    """Hold `amount`, the dearest the call can be, in the open transaction.

    Raises NoBudgetError or SpentError, and then holds nothing: the caller's transaction must end
    by rolling back.
    """
    settle_lapsed()
    # What goes in comes out: a column would round each of the two by itself.
    amount = amount.quantize(_SMALLEST, ROUND_UP)
    held = Held(uuid4(), run_ref, agent, month_of(clock.now()), amount)
    standing = limits.standing(agent)
    if standing[Scope.COMPANY] is None:
        raise NoBudgetError
    for key in _keys(held):
        limit = standing[key.scope]
        if (limit is not None and amount > limit) or not _add(key, amount, limit):
            raise SpentError(key.scope)
    Reservation.objects.create(
        tenant_id=current_tenant_id(),
        ref=held.ref,
        run_ref=run_ref,
        agent=agent,
        month=held.month,
        amount=amount,
        until=Now() + dt.timedelta(seconds=settings.OPSPILOT_LEASE_SECONDS) + GRACE,
    )
    return held


def settle(
    held: Held, cost: Decimal | None, *, tokens_in: int = 0, tokens_out: int = 0
) -> Decimal | None:
    """Write down what the call cost; None where nobody knows: then it counts as the whole amount.

    Twice settled counts once, and a cost that somebody knows replaces an unknown one: that of a
    reservation that lapsed meanwhile. The cost comes back as it was written: the accounts, the reservation and the
    trail have the same number. It stands in no row of the trail yet: `telling` sees to that.
    """
    cost = None if cost is None else cost.quantize(_SMALLEST)
    spent = held.amount if cost is None else cost
    mine = Reservation.objects.filter(ref=held.ref)
    used: dict[str, Any] = {"spent": spent, "tokens_in": tokens_in, "tokens_out": tokens_out}
    first = {"state": ReservationState.SETTLED, "known": cost is not None, "settled_at": Now()}
    still_held = {ReservationState.HELD: held.amount, ReservationState.RETURNED: Decimal(0)}
    for state, kept in still_held.items():
        if mine.filter(state=state).update(**used, **first):
            _move(dict.fromkeys(_keys(held), (kept, spent)))
            return cost
    lapsed = mine.filter(state=ReservationState.SETTLED, known=False, spent=held.amount)
    # What a row of the trail calls unknown stays unknown here: rows are only added to.
    if cost is not None and lapsed.update(**used, known=Q(told_at=None)):
        _move(dict.fromkeys(_keys(held), (Decimal(0), spent - held.amount)))
    return cost


def month_of(moment: dt.datetime) -> str:
    """The month of the installation's zone, as 2026-11."""
    return f"{days.of(moment):%Y-%m}"


def used(month: str) -> dict[tuple[str, str], Account]:
    """The accounts of a month by scope and subject; a run's is not one."""
    found = Account.objects.filter(period=month, scope__in=[Scope.COMPANY, Scope.AGENT])
    return {(account.scope, account.subject): account for account in found}


def settle_lapsed() -> int:
    """What callers that died held counts as spent: a reservation is made right before its call, so
    nobody knows that it was not charged. Returns how many; a hundred at a time."""
    with connection.cursor() as cursor:
        cursor.execute(_LAPSED, {"tenant": current_tenant_id()})
        lapsed = cursor.fetchall()
    sums: dict[_Key, Decimal] = defaultdict(Decimal)
    for agent, run_ref, month, amount in lapsed:
        for key in _keys(Held(run_ref, run_ref, agent, month, amount)):
            sums[key] += amount
    _move({key: (amount, amount) for key, amount in sums.items()})
    return len(lapsed)


def _keys(held: Held) -> list[_Key]:
    return [
        _Key(Scope.COMPANY, "", held.month),
        _Key(Scope.AGENT, held.agent, held.month),
        _Key(Scope.RUN, "", str(held.run_ref)),
    ]


def _add(key: _Key, amount: Decimal, limit: Decimal | None) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_ADD, _values(key, amount) | {"limit": limit})
        return cursor.fetchone() is not None


def _move(sums: Mapping[_Key, tuple[Decimal, Decimal]]) -> None:
    """Out of what is held, and into what is spent; locked in the order of the scopes."""
    order = list(Scope)
    with connection.cursor() as cursor:
        for key in sorted(sums, key=lambda k: (order.index(k.scope), k.subject, k.period)):
            held, spent = sums[key]
            cursor.execute(_TAKE_BACK, _values(key, held) | {"spent": spent})


def _values(key: _Key, amount: Decimal) -> dict[str, Any]:
    return {
        "tenant": current_tenant_id(),
        "scope": key.scope.value,
        "subject": key.subject,
        "period": key.period,
        "amount": amount,
    }
