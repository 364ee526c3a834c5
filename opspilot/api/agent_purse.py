"""What models have cost in the name of each agent this month, against its limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from opspilot.budgets import limits, spending
from opspilot.budgets.models import Scope
from opspilot.presentation.formats import money_text
from opspilot.tenancy import clock


@dataclass(frozen=True, slots=True)
class Purses:
    """By agent, in centavos. An agent that is not in `most` has no limit of its own."""

    spent: Mapping[str, Decimal]
    most: Mapping[str, Decimal]

    def words(self, agent: str) -> str:
        spent, most = self.spent.get(agent, Decimal(0)), self.most.get(agent)
        if most is None:
            return _("%(spent)s, sem limite próprio") % {"spent": _money(spent)}
        return _("%(spent)s de %(most)s") % {"spent": _money(spent), "most": _money(most)}


def of_the_month() -> Purses:
    used = spending.used(spending.month_of(clock.now()))
    return Purses(
        spent={agent: one.spent for (scope, agent), one in used.items() if scope == Scope.AGENT},
        most={
            row.subject: row.centavos
            for row in limits.in_force()
            if row.scope == Scope.AGENT and row.centavos is not None
        },
    )


def _money(centavos: Decimal) -> str:
    return money_text(centavos, language=get_language() or "pt-br")
