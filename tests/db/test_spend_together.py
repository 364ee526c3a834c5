"""One budget, many processes at once, some of which die: what is spent is the limit, to the centavo."""

from __future__ import annotations

import datetime as dt
import os
import uuid
from collections.abc import Callable
from decimal import Decimal

import pytest
from django.db import connections
from django.db.models import F, Sum

from audit import trail
from audit.models import AgenteAcao
from audit.reports.kinds import Period
from audit.vocabulary import Authorization, Result
from opspilot.budgets import comparing, limits, spending, telling
from opspilot.budgets.limits import Given
from opspilot.budgets.models import Account, Reservation, ReservationState, Scope
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

pytestmark = pytest.mark.usefixtures("committed")
_inherited: list[object] = []  # the parent's connections: only it may close them


@pytest.mark.parametrize(
    ("processes", "tries", "limit"),
    [(4, 32, 10), pytest.param(16, 1000, 100, marks=pytest.mark.machine)],
)
def test_the_whole_budget_is_spent_and_not_a_centavo_more(
    processes: int, tries: int, limit: int
) -> None:
    admin = factories.a_principal(factories.a_tenant(), Role.ADMIN)
    with tenant_scope(admin.tenant_id):
        limits.give(admin=admin, given=Given(Scope.COMPANY, "", Decimal(limit), "um orçamento"))
    _die_holding(admin, limit // 10)
    together(processes, lambda: _spend(admin, times=-(-tries // processes)))
    assert _account(admin) == (Decimal(limit // 10), Decimal(limit - limit // 10))
    with tenant_scope(admin.tenant_id):
        Reservation.objects.update(until=F("until") - dt.timedelta(days=1))
    together(processes, lambda: _spend_beside_the_sweep(admin, times=limit // 10))
    assert _account(admin) == (Decimal(0), Decimal(limit))
    with tenant_scope(admin.tenant_id):
        assert not Reservation.objects.filter(state=ReservationState.HELD).exists()
        told = AgenteAcao.objects.filter(acao="conhecimento.consultado")
        assert told.aggregate(sum=Sum("custo_exato"))["sum"] == limit - limit // 10
        assert Reservation.objects.filter(known=False).count() == limit // 10
        assert comparing.compare(Period()).is_good


def _spend_beside_the_sweep(by: Principal, *, times: int) -> None:
    """What the dead held counts as spent: there is nothing more to spend."""
    with tenant_scope(by.tenant_id):
        spending.settle_lapsed()
    _spend(by, times=times)


def _spend(by: Principal, *, times: int) -> None:
    for _ in range(times):
        _call(by)


def _call(by: Principal) -> None:
    """One call of one centavo, from its reservation to its row; or it was refused."""
    run_ref = uuid.uuid4()
    try:
        with tenant_scope(by.tenant_id):
            held = spending.reserve(run_ref=run_ref, agent="console", amount=Decimal(1))
    except spending.SpentError:
        return
    with tenant_scope(by.tenant_id):
        spending.settle(held, Decimal(1))
    with tenant_scope(by.tenant_id):
        trail.record(
            trail.Entry(
                correlacao_id=run_ref,
                acao="conhecimento.consultado",
                resultado=Result.OK,
                autorizacao=Authorization.REGRA,
                **telling.tell(run_ref=run_ref).columns(),
            )
        )


def _die_holding(by: Principal, count: int) -> None:
    """A process that dies between its reservations and what would settle them."""

    def hold() -> None:
        with tenant_scope(by.tenant_id):
            for _ in range(count):
                spending.reserve(run_ref=uuid.uuid4(), agent="console", amount=Decimal(1))

    together(1, hold)


def _account(by: Principal) -> tuple[Decimal, Decimal]:
    """What is held and what is spent."""
    with tenant_scope(by.tenant_id):
        account = Account.objects.get(scope=Scope.COMPANY)
    return account.reserved, account.spent


def together(processes: int, act: Callable[[], object]) -> None:
    """In processes of their own, each with connections of its own; none of them may fail."""
    children = [_forked(act) for _ in range(processes)]
    ended = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert ended == [0] * processes


def _forked(act: Callable[[], object]) -> int:
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        for one in connections.all(initialized_only=True):
            _inherited.append(one.connection)
            one.connection = None
        act()
        code = 0
    finally:
        os._exit(code)
