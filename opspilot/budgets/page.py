"""The page of the budgets: each limit in force with what this month used of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from opspilot.budgets import limits, spending
from opspilot.budgets.models import Account, Limit, Scope
from opspilot.presentation.formats import money_text
from opspilot.tenancy import clock


@dataclass(frozen=True, slots=True)
class Line:
    """One limit. A run's has no month: its sums are of each run alone."""

    title: str
    most: str
    spent: str
    reserved: str
    left: str
    reason: str
    by: str
    at: Any


def lines() -> list[Line]:
    month = spending.month_of(clock.now())
    accounts = spending.used(month)
    order = list(Scope)
    rows = sorted(limits.in_force(), key=lambda row: (order.index(Scope(row.scope)), row.subject))
    return [_line(row, accounts) for row in rows]


def _line(row: Limit, accounts: Mapping[tuple[str, str], Account]) -> Line:
    account = accounts.get((row.scope, row.subject), Account(spent=Decimal(0), reserved=Decimal(0)))
    monthly = row.scope != Scope.RUN
    left = None if row.centavos is None else row.centavos - account.spent - account.reserved
    return Line(
        title=_title(row),
        most=_("sem limite próprio") if row.centavos is None else _money(row.centavos),
        spent=_money(account.spent) if monthly else "",
        reserved=_money(account.reserved) if monthly else "",
        left=_money(max(left, Decimal(0))) if monthly and left is not None else "",
        reason=row.reason,
        by=row.author_name,
        at=row.created_at,
    )


def _title(row: Limit) -> str:
    if row.scope == Scope.AGENT:
        return _("Agente %(agent)s, por mês") % {"agent": row.subject}
    return _("A empresa, por mês") if row.scope == Scope.COMPANY else _("Cada rodada")


def _money(centavos: Decimal) -> str:
    return money_text(centavos, language=get_language() or "pt-br")
