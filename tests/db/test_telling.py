"""What models cost stands in the trail once, whoever ends the run, and the budgets agree with it."""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal
from itertools import takewhile
from typing import Any

import pytest
from django.db.models import F, Sum

from audit import trail
from audit.models import AgenteAcao
from audit.reports.kinds import Period
from audit.vocabulary import Authorization, Result
from opspilot.budgets import comparing, spending, telling
from opspilot.budgets.comparing import Compared
from opspilot.budgets.models import Account, Reservation, Scope
from opspilot.connectors import readers
from opspilot.harness import loop, services
from opspilot.harness.models import Run, RunState
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import serving
from tests.db.killing import every_step, killed_at
from tests.db.serving import Server

pytestmark = pytest.mark.usefixtures("committed")
QUESTION = "How do I restart the consumer?"
HOUR = dt.timedelta(hours=1)
NOTHING, CALL = Decimal(0), Decimal("2.5")  # what one call of the served model costs


@pytest.fixture
def admin() -> Principal:
    made = factories.a_tenant()
    factories.a_published_document(made)
    admin = factories.a_principal(made, Role.ADMIN)
    serving.pay(admin, ["good"], limit=100_000)
    return admin


@pytest.fixture
def planned(model_server: Server, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Server:
    """Models plan and answer: a question takes three calls."""
    settings.OPSPILOT_PLANNER = "model"
    settings.OPSPILOT_CONNECTOR_SLOTS = 100  # the dead keep theirs until their leases end
    completers = model_server.named("good")
    monkeypatch.setattr(readers, "completers", lambda: completers)
    return model_server


def asked(by: Principal) -> Run:
    with tenant_scope(by.tenant_id):
        return services.ask(principal=by, question=QUESTION)


def spent(by: Principal, cost: int | None, *, run_ref: uuid.UUID | None = None) -> uuid.UUID:
    """A call that was held and settled, and whose worker wrote nothing more."""
    run_ref = run_ref or uuid.uuid4()
    with tenant_scope(by.tenant_id):
        held = spending.reserve(run_ref=run_ref, agent="console", amount=Decimal(9))
        spending.settle(held, None if cost is None else Decimal(cost), tokens_in=7, tokens_out=3)
    return run_ref


def grow_late(by: Principal, hours: int = 3) -> None:
    with tenant_scope(by.tenant_id):
        Reservation.objects.update(settled_at=F("settled_at") - hours * HOUR)


def compared(by: Principal) -> Compared:
    with tenant_scope(by.tenant_id):
        return comparing.compare(Period())


def rows(by: Principal, action: str) -> list[AgenteAcao]:
    with tenant_scope(by.tenant_id):
        return list(AgenteAcao.objects.filter(acao=action))


def test_a_run_tells_what_its_plans_and_its_answer_cost_together(
    admin: Principal, planned: Server
) -> None:
    run = asked(admin)
    loop.advance(tenant_id=run.tenant_id, run_id=run.pk)
    (row,) = rows(admin, "conhecimento.consultado")
    assert (row.custo_exato, row.tokens_entrada, row.tokens_saida) == (3 * CALL, 3000, 300)
    found = compared(admin)
    assert (found.is_good, found.told, found.waiting) == (True, 3 * CALL, NOTHING)


def test_what_a_dead_worker_spent_is_in_the_row_of_who_goes_on(
    admin: Principal, planned: Server
) -> None:
    run = asked(admin)
    spent(admin, 4, run_ref=run.ref)
    loop.advance(tenant_id=run.tenant_id, run_id=run.pk)
    (row,) = rows(admin, "conhecimento.consultado")
    assert row.custo_exato == 3 * CALL + 4
    assert compared(admin).is_good


def test_a_run_that_three_workers_died_on_tells_what_they_spent(admin: Principal) -> None:
    run = asked(admin)
    spent(admin, 4, run_ref=run.ref)
    with tenant_scope(admin.tenant_id):
        Run.objects.filter(pk=run.pk).update(attempts=loop.MAX_ATTEMPTS)
    loop.advance(tenant_id=run.tenant_id, run_id=run.pk)
    (row,) = rows(admin, "conhecimento.consultado")
    assert (row.erro, row.custo_exato) == ("interrompida", Decimal(4))


@pytest.mark.parametrize("every", [66, pytest.param(1, marks=pytest.mark.machine)])
def test_a_worker_that_is_killed_anywhere_leaves_no_spend_untold(
    admin: Principal, planned: Server, every: int
) -> None:
    steps = (number for number in every_step() if number % every == 0)
    killed = sum(1 for _ in takewhile(lambda step: _killed_and_gone_on_with(admin, step), steps))
    print(f"{killed} workers killed, one at every {every} steps")
    assert killed > 1
    found = compared(admin)
    assert (found.mismatches, found.waiting) == ([], NOTHING)


def _killed_and_gone_on_with(by: Principal, step: int) -> bool:
    """False where the worker came to its end before that step."""
    run = asked(by)
    died = killed_at(step, lambda: loop.advance(tenant_id=run.tenant_id, run_id=run.pk))
    with tenant_scope(run.tenant_id):
        mine = Run.objects.filter(pk=run.pk)
        mine.update(lease_until=F("lease_until") - HOUR)
    loop.advance(tenant_id=run.tenant_id, run_id=run.pk)
    with tenant_scope(run.tenant_id):
        ended = mine.get()
    assert (ended.state, ended.code) == (RunState.ANSWERED, ""), step
    return died


def test_what_is_told_is_told_once(admin: Principal) -> None:
    run_ref = spent(admin, 4)
    with tenant_scope(admin.tenant_id):
        told, again = telling.tell(run_ref=run_ref), telling.tell(run_ref=run_ref)
    assert (told.cost, told.calls, told.tokens_in, told.tokens_out) == (Decimal(4), 1, 7, 3)
    assert (again.cost, again.calls) == (NOTHING, 0)


def test_one_unknown_cost_makes_the_row_s_unknown(admin: Principal) -> None:
    run_ref = spent(admin, 4)
    spent(admin, None, run_ref=run_ref)
    with tenant_scope(admin.tenant_id):
        assert telling.tell(run_ref=run_ref).cost is None


def test_what_nobody_told_in_time_gets_a_row_of_its_own(admin: Principal) -> None:
    run_ref = spent(admin, 4)
    spent(admin, 3, run_ref=run_ref)
    grow_late(admin)
    assert not compared(admin).is_good
    telling.sweep()
    telling.sweep()
    (row,) = rows(admin, "modelo.cobrado")
    assert (row.correlacao_id, row.custo_exato, row.tokens_entrada) == (run_ref, Decimal(7), 14)
    assert compared(admin).is_good


def test_a_call_whose_worker_died_in_it_is_told_as_unknown(admin: Principal) -> None:
    held = died_in_a_call(admin)
    telling.sweep()
    grow_late(admin)
    telling.sweep()
    (row,) = rows(admin, "modelo.cobrado")
    assert (row.correlacao_id, row.custo_exato, row.uso_conhecido) == (held.run_ref, None, False)
    assert compared(admin).is_good


@pytest.mark.parametrize(("told_first", "said"), [(True, None), (False, Decimal(4))])
def test_a_late_answer_s_cost_agrees_with_the_trail_told_or_not(
    admin: Principal, told_first: bool, said: Decimal | None
) -> None:
    held = died_in_a_call(admin)
    telling.sweep()
    grow_late(admin)
    if told_first:
        telling.sweep()
    with tenant_scope(admin.tenant_id):
        spending.settle(held, Decimal(4))
        assert Account.objects.get(scope=Scope.COMPANY).spent == 4
    telling.sweep()
    (row,) = rows(admin, "modelo.cobrado")
    assert (row.custo_exato, compared(admin).is_good) == (said, True)


def died_in_a_call(by: Principal) -> spending.Held:
    with tenant_scope(by.tenant_id):
        held = spending.reserve(run_ref=uuid.uuid4(), agent="console", amount=Decimal(9))
        Reservation.objects.update(until=F("until") - 24 * HOUR)
    return held


def test_what_a_run_may_still_tell_is_left_to_it(admin: Principal) -> None:
    spent(admin, 4)
    telling.sweep()
    assert rows(admin, "modelo.cobrado") == []
    found = compared(admin)
    assert (found.is_good, found.waiting) == (True, Decimal(4))


def test_a_late_settlement_after_the_end_is_swept_too(admin: Principal) -> None:
    run_ref = spent(admin, 4)
    with tenant_scope(admin.tenant_id):
        record(run_ref, telling.tell(run_ref=run_ref).columns())
    spent(admin, 5, run_ref=run_ref)
    grow_late(admin)
    telling.sweep()
    with tenant_scope(admin.tenant_id):
        total = AgenteAcao.objects.filter(correlacao_id=run_ref).aggregate(sum=Sum("custo_exato"))
    assert (total["sum"], compared(admin).is_good) == (9, True)


@pytest.mark.parametrize("said", [Decimal(3), None])
def test_a_run_whose_row_says_another_cost_is_named(admin: Principal, said: Decimal | None) -> None:
    run_ref = spent(admin, 4)
    with tenant_scope(admin.tenant_id):
        record(run_ref, telling.tell(run_ref=run_ref).columns() | {"custo_exato": said})
    (mismatch,) = compared(admin).mismatches
    assert (mismatch.kind, mismatch.where) == ("run", str(run_ref))


def test_an_account_that_does_not_fit_its_calls_is_named(admin: Principal) -> None:
    run_ref = spent(admin, 4)
    with tenant_scope(admin.tenant_id):
        record(run_ref, telling.tell(run_ref=run_ref).columns())
        Account.objects.filter(scope=Scope.COMPANY).update(spent=F("spent") + 1)
    (mismatch,) = compared(admin).mismatches
    assert mismatch.kind == "account"


def test_another_company_s_spend_is_not_compared(admin: Principal) -> None:
    spent(admin, 4)
    grow_late(admin)
    assert compared(factories.a_principal(factories.a_tenant(), Role.ADMIN)) == Compared()


def record(run_ref: uuid.UUID, columns: dict[str, Any]) -> None:
    trail.record(
        trail.Entry(
            correlacao_id=run_ref,
            acao="conhecimento.consultado",
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            **columns,
        )
    )
