"""Spend is held before it happens: under concurrency, over a caller's death, in three accounts."""

from __future__ import annotations

import datetime as dt
import threading
import uuid
from collections.abc import Callable
from decimal import Decimal

import pytest
from django.db import connections
from django.db.models import F

from audit.models import AgenteAcao
from opspilot.budgets import limits, spending
from opspilot.budgets.limits import AgentOfLimitError, Given
from opspilot.budgets.models import Account, Reservation, Scope
from opspilot.errors import RoleRequiredError
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

pytestmark = pytest.mark.usefixtures("committed")
REASON = "limite do trimestre"


@pytest.fixture
def admin() -> Principal:
    return factories.a_principal(factories.a_tenant(), Role.ADMIN)


def allow(
    admin: Principal, centavos: int | None, scope: Scope = Scope.COMPANY, who: str = ""
) -> None:
    with tenant_scope(admin.tenant_id):
        amount = None if centavos is None else Decimal(centavos)
        limits.give(admin=admin, given=Given(scope, who, amount, REASON))


def hold(
    admin: Principal, amount: int, *, run: uuid.UUID | None = None, agent: str = "console"
) -> spending.Held:
    with tenant_scope(admin.tenant_id):
        return spending.reserve(run_ref=run or uuid.uuid4(), agent=agent, amount=Decimal(amount))


def settle(admin: Principal, held: spending.Held, cost: int | None) -> None:
    with tenant_scope(admin.tenant_id):
        spending.settle(held, None if cost is None else Decimal(cost))


def company(admin: Principal) -> tuple[int, int]:
    """What is held and what is spent."""
    with tenant_scope(admin.tenant_id):
        account = Account.objects.filter(scope=Scope.COMPANY).first()
        return (int(account.reserved), int(account.spent)) if account else (0, 0)


def test_with_no_limit_of_the_company_nothing_may_be_spent(admin: Principal) -> None:
    with pytest.raises(spending.NoBudgetError):
        hold(admin, 1)


def test_a_limit_that_was_taken_away_lets_nothing_be_spent(admin: Principal) -> None:
    allow(admin, 100)
    allow(admin, None)
    with pytest.raises(spending.NoBudgetError):
        hold(admin, 1)


def test_what_is_held_and_spent_together_stays_under_the_limit(admin: Principal) -> None:
    allow(admin, 100)
    settle(admin, hold(admin, 60), 50)
    hold(admin, 50)
    with pytest.raises(spending.SpentError):
        hold(admin, 1)
    assert company(admin) == (50, 50)


@pytest.mark.parametrize(("scope", "who"), [(Scope.AGENT, "console"), (Scope.RUN, "")])
def test_an_agent_and_a_run_have_limits_of_their_own(
    admin: Principal, scope: Scope, who: str
) -> None:
    allow(admin, 1000)
    allow(admin, 10, scope, who)
    run = uuid.uuid4()
    hold(admin, 8, run=run)
    with pytest.raises(spending.SpentError) as refused:
        hold(admin, 8, run=run)
    assert refused.value.scope == scope
    assert company(admin)[0] == 8, "what was refused by one account is held in none"
    hold(admin, 8, run=uuid.uuid4(), agent="outro-agente")


def test_an_unknown_cost_counts_as_the_dearest(admin: Principal) -> None:
    allow(admin, 100)
    settle(admin, hold(admin, 30), None)
    assert company(admin) == (0, 30)


def test_twice_settled_counts_once(admin: Principal) -> None:
    allow(admin, 100)
    held = hold(admin, 30)
    settle(admin, held, 20)
    settle(admin, held, 20)
    assert company(admin) == (0, 20)


def test_what_is_held_comes_out_whole_however_small_its_parts(admin: Principal) -> None:
    allow(admin, 100)
    with tenant_scope(admin.tenant_id):
        held = spending.reserve(run_ref=uuid.uuid4(), agent="console", amount=Decimal("0.0000015"))
        spending.settle(held, Decimal(0))
        assert Account.objects.get(scope=Scope.COMPANY).reserved == 0


def lapse(admin: Principal, held: spending.Held) -> None:
    with tenant_scope(admin.tenant_id):
        Reservation.objects.filter(ref=held.ref).update(until=F("until") - dt.timedelta(days=1))


def test_what_a_dead_caller_held_counts_as_spent_at_an_unknown_cost(admin: Principal) -> None:
    allow(admin, 100)
    lapse(admin, hold(admin, 90))
    hold(admin, 10)
    assert company(admin) == (10, 90)
    with pytest.raises(spending.SpentError):
        hold(admin, 1)


@pytest.mark.parametrize("settled_first", [True, False])
def test_a_late_caller_s_true_cost_replaces_the_dearest_once(
    admin: Principal, settled_first: bool
) -> None:
    allow(admin, 100)
    late = hold(admin, 40)
    lapse(admin, late)
    if settled_first:
        settle(admin, late, 25)
    hold(admin, 10)
    settle(admin, late, 25)
    settle(admin, late, 25)
    settle(admin, late, None)
    hold(admin, 10)
    assert company(admin) == (20, 25)


def test_of_many_at_once_no_more_hold_than_the_limit_allows(admin: Principal) -> None:
    allow(admin, 50)
    outcomes: list[bool] = []

    def one() -> None:
        try:
            settle(admin, hold(admin, 10), 10)
            outcomes.append(True)
        except spending.SpentError:
            outcomes.append(False)
        finally:
            connections.close_all()

    together([one] * 12)
    assert (outcomes.count(True), company(admin)) == (5, (0, 50))


def test_another_company_has_its_own_accounts(admin: Principal) -> None:
    other = factories.a_principal(factories.a_tenant(), Role.ADMIN)
    allow(admin, 10)
    allow(other, 10)
    hold(admin, 10)
    hold(other, 10)
    assert (company(admin), company(other)) == ((10, 0), (10, 0))


def test_only_an_admin_gives_a_limit_and_it_leaves_a_row(admin: Principal) -> None:
    allow(admin, 500)
    with tenant_scope(admin.tenant_id):
        row = AgenteAcao.objects.get(acao="orcamento.definido")
    assert row.saida_resumo == "limite: empresa; 500 centavos; limite do trimestre"


def test_nobody_else_gives_a_limit() -> None:
    operator = factories.a_principal(factories.a_tenant(), Role.OPERADOR)
    with pytest.raises(RoleRequiredError):
        allow(operator, 500)


def test_a_limit_of_an_agent_names_the_agent_and_no_other_does(admin: Principal) -> None:
    with pytest.raises(AgentOfLimitError):
        allow(admin, 1, Scope.AGENT)
    with pytest.raises(AgentOfLimitError):
        allow(admin, 1, Scope.RUN, "console")


def together(acts: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=act) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
