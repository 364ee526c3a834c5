"""The planner that asks a model: a real server process, its traps, the money of each, and the routes."""

from __future__ import annotations

import json
import uuid
from decimal import Decimal
from typing import Any

import pytest

from opspilot.budgets.models import Account, Reservation, Scope
from opspilot.connectors import readers
from opspilot.connectors.ports import Completer
from opspilot.harness import loop, services
from opspilot.harness.asking import LateRunError, Payer
from opspilot.harness.models import Run, RunState
from opspilot.harness.planning import choosing, modelled
from opspilot.harness.planning.modelled import ModelPlanner
from opspilot.harness.planning.port import (
    Choice,
    FinalAnswer,
    InvalidOutputError,
    PlannerUnavailableError,
    PrepareIssue,
    SearchKnowledge,
    Situation,
    Vocabulary,
)
from opspilot.harness.planning.rules.planner import RulePlanner
from opspilot.harness.running import acts
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import serving
from tests.db.serving import Server

pytestmark = pytest.mark.usefixtures("committed")
PLAIN = "Por que o disco de srv-01 encheu?"
NOTHING, CALL = Decimal(0), Decimal("2.5")  # centavos: what one call of the server costs
KNOWN = Vocabulary(projects=("infra",))
MODELS = ("good", "prepares", "asks", "declines", "is-cut", "other", "dies", "throttles", "fails",
          "refuses-us", "writes-prose", "invents-a-tool", "adds-authority", "hides-signs",
          "asks-for-nothing", "asks-for-a-secret", "tells-no-usage")  # fmt: skip


@pytest.fixture
def admin() -> Principal:
    return factories.a_principal(factories.a_tenant(), Role.ADMIN)


@pytest.fixture
def paid(admin: Principal) -> Principal:
    serving.pay(admin, MODELS)
    return admin


class Planning:
    """One company's planner, over the providers of a test."""

    def __init__(self, by: Principal, patch: pytest.MonkeyPatch, *completers: Completer) -> None:
        patch.setattr(readers, "completers", lambda: completers)
        self.tenant_id = by.tenant_id
        self.payer = Payer(by.tenant_id, uuid.uuid4(), lambda: True)

    def next(self, request: str = PLAIN) -> Choice:
        return ModelPlanner(self.payer).next(Situation(request, KNOWN, steps_left=6))

    def money(self) -> tuple[Decimal, Decimal]:
        """What is held and what is spent."""
        with tenant_scope(self.tenant_id):
            account = Account.objects.get(scope=Scope.COMPANY)
        return account.reserved, account.spent


def test_a_model_plans_the_next_call_and_the_cost_is_settled(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    planning = Planning(paid, monkeypatch, *model_server.named("good"))
    choice = planning.next()
    assert choice.planned.call == SearchKnowledge(query=PLAIN)
    assert choice.completed is not None
    assert (choice.completed.served, choice.cost) == ("good-2026", Decimal("2.5"))
    assert planning.money() == (NOTHING, CALL)


def test_it_is_told_the_request_and_the_names_apart_from_the_instruction_in_a_strict_shape(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    Planning(paid, monkeypatch, *model_server.named("good")).next()
    (sent,) = model_server.asked()
    assert (sent["roles"], sent["strict"], sent["schema"]) == (["system", "user"], True, "plano")
    assert json.loads(sent["data"]).keys() == {"request", "vocabulary", "taken", "steps_left"}


def test_what_it_prepares_is_a_call_like_any_planner_s(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    choice = Planning(paid, monkeypatch, *model_server.named("prepares")).next("abra uma issue")
    assert isinstance(choice.planned.call, PrepareIssue)
    assert (choice.planned.intent, choice.planned.call.alias) == ("change", "infra")


@pytest.mark.parametrize(
    ("model", "fault"),
    [
        ("declines", "refusal"),
        ("is-cut", "truncated"),
        ("other", "other_model"),
        ("writes-prose", "not_the_shape"),
        ("invents-a-tool", "not_the_shape"),
        ("adds-authority", "not_the_shape"),
        ("hides-signs", "hidden_signs"),
        ("asks-for-nothing", "asks_for_nothing"),
        ("asks-for-a-secret", "asks_for_the_unknown"),
    ],
)
def test_what_is_no_plan_has_its_own_fault_and_was_paid_for(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch, model: str, fault: str
) -> None:
    planning = Planning(paid, monkeypatch, *model_server.named(model))
    with pytest.raises(InvalidOutputError) as raised:
        planning.next()
    assert (raised.value.fault, raised.value.cost) == (fault, Decimal("2.5"))
    assert planning.money() == (NOTHING, CALL)


@pytest.mark.parametrize(
    ("model", "code", "wait", "cost"),
    [
        ("dies", "modelo_interrompido", 0, None),
        ("throttles", "modelo_ocupado", 7, 0),
        ("fails", "modelo_sem_resposta", 0, None),
        ("refuses-us", "modelo_recusou", 0, 0),
    ],
)
def test_a_provider_that_gives_nothing_is_an_outage_with_its_reason(
    paid: Principal,
    model_server: Server,
    monkeypatch: pytest.MonkeyPatch,
    model: str,
    code: str,
    wait: int,
    cost: int | None,
) -> None:
    planning = Planning(paid, monkeypatch, *model_server.named(model))
    with pytest.raises(PlannerUnavailableError) as raised:
        planning.next()
    found = raised.value
    assert (found.code, found.retry_after, found.cost) == (code, wait, cost)
    assert planning.money()[0] == 0


def test_one_that_cannot_be_reached_has_cost_nothing(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = serving.completer("http://127.0.0.1:9/v1", "good")
    planning = Planning(paid, monkeypatch, nobody)
    with pytest.raises(PlannerUnavailableError, match="modelo_inacessivel"):
        planning.next()
    assert planning.money() == (NOTHING, NOTHING)


def test_one_that_is_left_alone_says_when_to_try_again(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.OPSPILOT_BREAKER_FAILURES = 1
    planning = Planning(paid, monkeypatch, *model_server.named("fails"))
    with pytest.raises(PlannerUnavailableError):
        planning.next()
    with pytest.raises(PlannerUnavailableError, match="modelo_em_pausa") as raised:
        planning.next()
    assert 0 < raised.value.retry_after <= settings.OPSPILOT_BREAKER_SECONDS
    assert len(model_server.asked()) == 1


def test_with_no_budget_nobody_is_asked(
    admin: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tenant_scope(admin.tenant_id):
        serving.price(admin, ["good"])
    planning = Planning(admin, monkeypatch, *model_server.named("good"))
    with pytest.raises(PlannerUnavailableError, match="sem_orcamento"):
        planning.next()
    assert model_server.asked() == []


def test_a_budget_that_is_used_up_is_an_outage_and_not_a_cheaper_plan(
    admin: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    serving.pay(admin, MODELS, limit=0)
    planning = Planning(admin, monkeypatch, *model_server.named("good"))
    with pytest.raises(PlannerUnavailableError, match="orcamento_esgotado"):
        planning.next()


def test_a_model_without_a_price_is_not_asked(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    planning = Planning(paid, monkeypatch, *model_server.named("priceless"))
    with pytest.raises(PlannerUnavailableError, match="sem_preco"):
        planning.next()


def test_a_short_question_goes_to_the_cheap_route_and_falls_back_to_the_other(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    standard = model_server.named("good")
    cheap = model_server.named("fails", "throttles", route="cheap")
    planning = Planning(paid, monkeypatch, *standard, *cheap)
    assert planning.next().completed is not None
    assert [sent["model"] for sent in model_server.asked()] == ["fails", "throttles", "good"]


def test_a_long_text_goes_to_the_standard_route_first(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    cheap = model_server.named("good", route="cheap")
    planning = Planning(paid, monkeypatch, *cheap, *model_server.named("fails"))
    planning.next("O consumidor parou. " * 20)
    assert [sent["model"] for sent in model_server.asked()] == ["fails", "good"]


def test_what_an_earlier_provider_may_have_taken_makes_the_step_s_cost_unknown(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    planning = Planning(paid, monkeypatch, *model_server.named("dies", "good"))
    assert planning.next().cost is None


@pytest.mark.parametrize(
    "request_text",
    [
        "O CPF 529.982.247-25 não consegue entrar, por quê?",
        "A senha é senha=Xk82hsd9Qa, por que não entra?",
        "O laudo médico do cliente não abre",
    ],
)
def test_personal_data_is_read_by_no_model_and_goes_to_a_person(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch, request_text: str
) -> None:
    choice = Planning(paid, monkeypatch, *model_server.named("good")).next(request_text)
    assert isinstance(choice.planned.call, FinalAnswer)
    assert (choice.planned.call.ending, model_server.asked()) == ("hand_over", [])


def test_a_worker_that_lost_the_run_asks_no_model(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    planning = Planning(paid, monkeypatch, *model_server.named("good"))
    planning.payer = Payer(paid.tenant_id, uuid.uuid4(), lambda: False)
    with pytest.raises(LateRunError):
        planning.next()
    assert model_server.asked() == []


def test_every_call_leaves_a_reservation_of_its_run(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    planning = Planning(paid, monkeypatch, *model_server.named("fails", "good"))
    planning.next()
    with tenant_scope(paid.tenant_id):
        found = Reservation.objects.filter(run_ref=planning.payer.run_ref).order_by("pk")
        assert [(one.state, one.known) for one in found] == [("settled", False), ("settled", True)]


def test_an_outage_ends_the_run_in_review_and_a_person_goes_on_by_the_rules(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.OPSPILOT_PLANNER = "model"
    Planning(paid, monkeypatch, *model_server.named("throttles"))
    with tenant_scope(paid.tenant_id):
        tenant = Tenant.objects.get(pk=paid.tenant_id)
    factories.a_published_document(tenant)
    with tenant_scope(paid.tenant_id):
        run = services.ask(principal=paid, question="How do I restart the consumer?")
    assert _advanced(run) == (RunState.REVIEW, "modelo_ocupado")
    with tenant_scope(paid.tenant_id):
        acts.try_anew(principal=paid, run=Run.objects.get(pk=run.pk), embedded=True)
    assert _advanced(run) == (RunState.ANSWERED, "")


def _advanced(run: Run) -> tuple[str, str]:
    loop.advance(tenant_id=run.tenant_id, run_id=run.pk)
    with tenant_scope(run.tenant_id):
        found = Run.objects.get(pk=run.pk)
    return found.state, found.code


def test_the_model_plans_only_where_the_setting_says_so(paid: Principal, settings: Any) -> None:
    payer = Payer(paid.tenant_id, uuid.uuid4(), lambda: True)
    assert isinstance(choosing.planner(payer), RulePlanner)
    settings.OPSPILOT_PLANNER = "model"
    assert choosing.planner(payer).instruction_hash == modelled.ModelPlanner(payer).instruction_hash
    assert isinstance(choosing.planner(payer, embedded=True), RulePlanner)
