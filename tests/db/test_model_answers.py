"""A question answered by a model: a real server process, its traps, the budget, and the trail."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from audit.models import AgenteAcao
from grounding.answers import modelled
from opspilot.budgets import limits
from opspilot.budgets.limits import Given
from opspilot.budgets.models import Account, Scope
from opspilot.connectors import readers
from opspilot.connectors.ports import Completer
from opspilot.harness import loop, services
from opspilot.harness.models import Run, RunState
from opspilot.harness.running import claims
from opspilot.resilience.models import Breaker
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import serving
from tests.db.serving import Server

pytestmark = pytest.mark.usefixtures("committed")
QUESTION = "How do I restart the consumer?"


@pytest.fixture
def tenant() -> Tenant:
    made = factories.a_tenant()
    factories.a_published_document(made)
    return made


@pytest.fixture
def admin(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.ADMIN)


@pytest.fixture
def paid(admin: Principal) -> Principal:
    """A company that has said what it may spend, and what each model costs."""
    serving.pay(admin, MODELS)
    return admin


MODELS = ("good", "declines", "is-cut", "other", "dies", "throttles", "fails", "refuses-us",
          "writes-prose", "invents-an-id", "cites-twice", "invents-a-quote", "cites-nothing",
          "finds-nothing", "tells-no-usage", "miscounts", "no-text")  # fmt: skip


def ask(
    by: Principal, monkeypatch: pytest.MonkeyPatch, *completers: Completer, question: str = QUESTION
) -> Run:
    monkeypatch.setattr(readers, "completers", lambda: completers)
    with tenant_scope(by.tenant_id):
        run = services.ask(principal=by, question=question)
    loop.advance(tenant_id=by.tenant_id, run_id=run.pk)
    with tenant_scope(by.tenant_id):
        return Run.objects.get(pk=run.pk)


def row_of(run: Run) -> AgenteAcao:
    with tenant_scope(run.tenant_id):
        return AgenteAcao.objects.get(correlacao_id=run.ref, acao="conhecimento.consultado")


def account(run: Run) -> Account:
    with tenant_scope(run.tenant_id):
        return Account.objects.get(scope=Scope.COMPANY)


def test_a_model_words_the_answer_and_the_row_says_which_for_how_much(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(paid, monkeypatch, *model_server.named("good"))
    row = row_of(run)
    assert (run.state, run.answer["sentences"][0]["text"]) == (RunState.ANSWERED, "Veja o trecho.")
    assert (row.modelo, row.modelo_pedido) == ("good-2026", "good")
    assert row.instrucao_hash == modelled.instruction_hash()
    assert (row.tokens_entrada, row.tokens_saida, row.uso_conhecido) == (1000, 100, True)
    assert row.custo_exato == Decimal("2.5")
    assert (account(run).spent, account(run).reserved) == (row.custo_exato, 0)


def test_the_data_goes_apart_from_the_instruction_in_a_strict_shape(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(paid, monkeypatch, *model_server.named("good"))
    (sent,) = model_server.asked()
    assert (sent["roles"], sent["strict"]) == (["system", "user"], True)
    assert json.loads(sent["data"]).keys() == {"question", "passages"}


@pytest.mark.parametrize(
    ("model", "code"),
    [
        ("declines", "modelo_refusal"),
        ("is-cut", "modelo_truncated"),
        ("other", "modelo_other_model"),
        ("writes-prose", "modelo_not_the_shape"),
        ("invents-an-id", "modelo_unknown_passage"),
        ("cites-twice", "modelo_passage_twice"),
        ("invents-a-quote", "modelo_quote_invented"),
        ("cites-nothing", "modelo_no_citation"),
        ("finds-nothing", "modelo_no_answer"),
    ],
)
def test_an_answer_that_cannot_be_checked_is_not_shown_and_was_paid_for(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch, model: str, code: str
) -> None:
    run = ask(paid, monkeypatch, *model_server.named(model))
    assert (run.state, run.code, run.answer["sentences"]) == (RunState.ABSTAINED, code, [])
    assert (row_of(run).erro, row_of(run).custo_exato) == (code, Decimal("2.5"))
    assert account(run).reserved == 0


@pytest.mark.parametrize("model", ["dies", "throttles", "fails", "refuses-us"])
def test_a_provider_that_gives_nothing_costs_no_answer(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    run = ask(paid, monkeypatch, *model_server.named(model))
    assert (run.state, run.answer["note"]) == (RunState.ANSWERED, "modelo_indisponivel")
    assert (row_of(run).modelo, account(run).reserved) == ("nenhum", 0)


def test_the_next_provider_is_asked_when_the_first_gives_nothing(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(paid, monkeypatch, *model_server.named("fails", "good"))
    assert run.answer["model"] == "good-2026"
    assert [sent["model"] for sent in model_server.asked()] == ["fails", "good"]


def test_what_broke_off_in_the_middle_has_an_unknown_cost_that_counts_as_the_dearest(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(paid, monkeypatch, *model_server.named("dies"))
    assert (row_of(run).custo_exato, row_of(run).uso_conhecido) == (None, False)
    assert account(run).spent > Decimal("2.5")


def test_a_server_that_does_not_count_leaves_the_cost_unknown(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(paid, monkeypatch, *model_server.named("tells-no-usage"))
    assert (run.state, row_of(run).uso_conhecido) == (RunState.ANSWERED, False)


def test_a_provider_that_cannot_be_reached_has_cost_nothing(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(paid, monkeypatch, serving.completer("http://127.0.0.1:9/v1", "good"))
    assert (run.answer["note"], row_of(run).custo_exato) == ("modelo_indisponivel", Decimal(0))
    assert (account(run).reserved, account(run).spent) == (0, 0)


@pytest.mark.parametrize("model", ["miscounts", "no-text"])
def test_what_no_row_could_hold_costs_no_answer_and_is_no_count(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    run = ask(paid, monkeypatch, *model_server.named(model))
    assert (run.state, run.answer["model"]) == (RunState.ANSWERED, f"{model}-2026")
    assert row_of(run).uso_conhecido == (model == "no-text")


def test_a_question_with_no_basis_asks_no_model(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(
        paid, monkeypatch, *model_server.named("good"), question="Qual a receita de bolo de fubá?"
    )
    assert (run.state, model_server.asked()) == (RunState.ABSTAINED, [])


def test_with_no_budget_no_model_is_asked_and_the_page_says_so(
    admin: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tenant_scope(admin.tenant_id):
        serving.price(admin, ["good"])
    run = ask(admin, monkeypatch, *model_server.named("good"))
    assert (run.state, run.answer["note"], model_server.asked()) == (
        RunState.ANSWERED,
        "sem_orcamento",
        [],
    )


def test_a_budget_that_is_used_up_asks_no_model(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tenant_scope(paid.tenant_id):
        limits.give(admin=paid, given=Given(Scope.COMPANY, "", Decimal("0.5"), "quase nada"))
    run = ask(paid, monkeypatch, *model_server.named("good"))
    assert (run.answer["note"], model_server.asked()) == ("orcamento_esgotado", [])


def test_a_model_without_a_price_is_not_asked(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(paid, monkeypatch, *model_server.named("priceless"))
    assert (run.answer["note"], model_server.asked()) == ("sem_preco", [])


def test_a_provider_that_fails_again_and_again_is_left_alone(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.OPSPILOT_BREAKER_FAILURES = 2
    failing = model_server.named("fails")
    for _ in range(3):
        assert ask(paid, monkeypatch, *failing).state == RunState.ANSWERED
    assert len(model_server.asked()) == 2
    assert Breaker.objects.get(connector=f"model:{failing[0].name}").state == "open"


def test_a_worker_that_lost_the_run_meanwhile_asks_no_model(
    paid: Principal, model_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "still_mine", lambda _run: False)
    run = ask(paid, monkeypatch, *model_server.named("good"))
    assert (run.state, model_server.asked()) == (RunState.RUNNING, [])


def test_the_page_says_who_answered_and_why_an_answer_is_not_shown(
    paid: Principal,
    tenant: Tenant,
    model_server: Server,
    monkeypatch: pytest.MonkeyPatch,
    client: Client,
) -> None:
    client.force_login(factories.a_person(tenant, *Role))
    good = ask(paid, monkeypatch, *model_server.named("good"))
    assert "modelo good-2026" in client.get(f"/rodadas/{good.ref}/").content.decode()
    bad = ask(paid, monkeypatch, *model_server.named("invents-a-quote"))
    page = client.get(f"/rodadas/{bad.ref}/").content.decode()
    assert "Uma citação do modelo não está no trecho que ele indicou." in page
    assert "Veja o trecho." not in page
