"""`verify_costs`: the trail's cost, summed by two ways that share no SQL."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from audit.costs import prices, verifying
from opspilot.budgets import spending
from opspilot.budgets.models import Reservation
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import serving
from tests.db.querying import a_row

pytestmark = pytest.mark.usefixtures("committed")
WRONG = (
    "INSERT INTO agente_acao (tenant_id, correlacao_id, agente, agente_versao, modelo, "
    "instrucao_hash, acao, resultado, autorizacao, custo_centavos, custo_exato, uso_conhecido) "
    "VALUES (%s, %s, 'agente-x', 'a@1', 'nenhum', 'x', 'issue.criada', 'ok', 'regra', %s, %s, %s) "
    "RETURNING id"
)


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


def wrong_row(
    admin: Connection, tenant: Tenant, centavos: int, exact: str | None, *, known: bool
) -> int:
    """As no writer of ours leaves it."""
    found = admin.execute(WRONG, (tenant.pk, uuid.uuid4(), centavos, exact, known)).fetchone()
    assert found is not None
    return int(found[0])


def verified(tenant: Tenant, *more: str, code: int = 0) -> dict[str, Any]:
    out = StringIO()
    given = ("--tenant", tenant.slug, "--json", *more)
    if code:
        with pytest.raises(SystemExit) as ended:
            call_command("verify_costs", *given, stdout=out)
        assert ended.value.code == code
    else:
        call_command("verify_costs", *given, stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue().splitlines()[-1])
    company: dict[str, Any] = found["companies"][tenant.slug]
    return company


def test_the_sums_of_an_agent_agree_and_are_exact(tenant: Tenant) -> None:
    for cost in ("0.123456", "10.5"):
        a_row(tenant, agente="agente-a", custo_exato=Decimal(cost), tokens_entrada=7)
    agent = verified(tenant)["agents"]["agente-a"]
    assert (agent["rows"], agent["cost_centavos"]) == (2, "10.623456")
    assert (agent["at_least"], agent["tokens_in"]) == (False, 14)


def test_a_row_that_does_not_know_its_cost_makes_the_sum_a_lower_bound(tenant: Tenant) -> None:
    a_row(tenant, agente="agente-a", custo_exato=Decimal(3))
    a_row(tenant, agente="agente-a", custo_exato=None)
    agent = verified(tenant)["agents"]["agente-a"]
    assert (agent["at_least"], agent["rows_without_cost"]) == (True, 1)
    assert Decimal(agent["cost_centavos"]) == 3


def test_a_row_whose_two_costs_differ_is_named(tenant: Tenant, admin: Connection) -> None:
    row = wrong_row(admin, tenant, 12, "7", known=True)
    (difference,) = verified(tenant, code=1)["differences"]
    assert (difference["kind"], difference["row"]) == ("centavos", row)


def test_half_a_centavo_of_rounding_is_no_difference(tenant: Tenant, admin: Connection) -> None:
    wrong_row(admin, tenant, 3, "2.5", known=True)
    assert verified(tenant)["differences"] == []


def test_an_unknown_cost_that_passes_for_known_is_named(tenant: Tenant, admin: Connection) -> None:
    row = wrong_row(admin, tenant, 0, None, known=True)
    (difference,) = verified(tenant, code=1)["differences"]
    assert (difference["kind"], difference["row"]) == ("usage", row)


def test_a_query_that_leaves_out_a_day_of_an_agent_is_found(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_row(tenant, agente="agente-a")
    monkeypatch.setattr(verifying, "_asked", lambda _bound: {})
    (difference,) = verified(tenant, code=1)["differences"]
    assert (difference["kind"], difference["agent"]) == ("sum", "agente-a")


def test_only_the_days_that_were_asked_for_are_summed(tenant: Tenant) -> None:
    a_row(tenant, agente="agente-a")
    assert verified(tenant, "--from", "2026-01-01", "--to", "2026-01-31")["agents"] == {}


def test_another_company_s_rows_are_not_in_the_sum(tenant: Tenant) -> None:
    a_row(factories.a_tenant(), agente="agente-a", custo_exato=Decimal(3))
    assert verified(tenant)["agents"] == {}


def test_a_company_nobody_knows_is_said() -> None:
    with pytest.raises(CommandError, match="no company is called"):
        call_command("verify_costs", "--tenant", "nenhuma")


def test_spend_that_the_trail_does_not_tell_ends_with_one_and_is_named(tenant: Tenant) -> None:
    run_ref = uuid.uuid4()
    serving.pay(factories.a_principal(tenant, Role.ADMIN), ["modelo-a"])
    with tenant_scope(tenant.pk):
        held = spending.reserve(run_ref=run_ref, agent="console", amount=Decimal(9))
        spending.settle(held, Decimal(4))
    budgets = verified(tenant)["budgets"]
    assert (Decimal(budgets["open_centavos"]), budgets["differences"]) == (Decimal(4), [])
    with tenant_scope(tenant.pk):
        Reservation.objects.update(settled_at=F("settled_at") - dt.timedelta(days=1))
    (difference,) = verified(tenant, code=1)["budgets"]["differences"]
    assert (difference["kind"], difference["where"]) == ("untold", str(run_ref))


def test_the_price_in_force_on_a_row_s_day_is_the_newest_that_had_begun(tenant: Tenant) -> None:
    admin = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        for since, centavos in (("2026-01-01", 2), ("2026-02-01", 9), ("2026-02-01", 4)):
            prices.add(
                admin=admin,
                model="modelo-a",
                since=dt.date.fromisoformat(since),
                centavos_in=Decimal(centavos),
                centavos_out=Decimal(0),
            )
        known = prices.Prices()
    days = (dt.date(2025, 12, 31), dt.date(2026, 1, 31), dt.date(2026, 2, 1))
    costs = [known.cost("modelo-a", day, tokens_in=500, tokens_out=0) for day in days]
    assert costs == [None, Decimal(1), Decimal(2)]


def test_what_rows_say_is_set_beside_what_the_prices_make_of_their_tokens(tenant: Tenant) -> None:
    with tenant_scope(tenant.pk):
        prices.add(
            admin=factories.a_principal(tenant, Role.ADMIN),
            model="modelo-a",
            since=dt.date(2020, 1, 1),
            centavos_in=Decimal(2),
            centavos_out=Decimal(3),
        )
    row: dict[str, Any] = {"modelo": "modelo-a", "tokens_entrada": 1000, "tokens_saida": 2000}
    a_row(tenant, agente="agente-a", custo_exato=Decimal(7), **row)
    priced = verified(tenant)["by_prices"]["agente-a"]
    assert (priced["rows"], priced["said_centavos"]) == (1, "7.000000")
    assert Decimal(priced["by_prices_centavos"]) == 8
