"""The queue's health against figures counted by hand."""

from __future__ import annotations

import pytest

from approvals.inbox import health
from approvals.inbox.health import Closed, Pace, Refusal
from approvals.models import AgenteAprovacao
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import agents_asking, deciding
from tests.db.browsing import a_browser, as_

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def approver(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.APROVADOR)


def of(tenant: Tenant, days: int = 7) -> health.Health:
    with tenant_scope(tenant.pk):
        return health.of(days=days)


def moved(admin: Connection, proposal: AgenteAprovacao, *, taken: str, ago: str = "0") -> None:
    """As if it had been decided `ago` before now, `taken` after it was made."""
    admin.execute(
        "UPDATE agente_aprovacao SET decidida_em = now() - %s::interval,"
        " criada_em = now() - %s::interval - %s::interval WHERE id = %s",
        [ago, ago, taken, proposal.pk],
    )


def made(admin: Connection, proposal: AgenteAprovacao, ago: str) -> None:
    admin.execute(
        "UPDATE agente_aprovacao SET criada_em = now() - %s::interval WHERE id = %s",
        [ago, proposal.pk],
    )


def test_what_waits_is_counted_by_risk_and_age(tenant: Tenant, admin: Connection) -> None:
    for ago in ("5 minutes", "2 hours", "2 days", "3 days"):
        made(admin, factories.a_proposal(tenant), ago)
    made(admin, factories.a_proposal(tenant, alias="nucleo", assignees=()), "5 hours")
    assert of(tenant).waiting == {"alto": [0, 0, 1, 0], "medio": [0] * 4, "baixo": [1, 1, 0, 2]}


def test_endings_median_and_haste_of_this_period_and_the_one_before(
    tenant: Tenant, approver: Principal, admin: Connection
) -> None:
    for taken in ("2 seconds", "60 seconds", "100 seconds"):
        proposal = factories.a_proposal(tenant)
        factories.approve(proposal, approver)
        moved(admin, proposal, taken=taken)
    refused, before = factories.a_proposal(tenant), factories.a_proposal(tenant)
    deciding.refuse(refused, approver)
    moved(admin, refused, taken="200 seconds")
    deciding.ask_for_changes(before, approver)
    moved(admin, before, taken="10 seconds", ago="8 days")
    now, past = of(tenant).closed
    assert now == Closed(approved=3, refused=1, median=80.0, ninetieth=170.0, at_once=1)
    assert past == Closed(sent_back=1, median=10.0, ninetieth=10.0)


def test_the_clock_s_endings_are_no_decisions_of_people(
    tenant: Tenant, approver: Principal, admin: Connection
) -> None:
    requester = factories.a_principal(tenant, Role.OPERADOR)
    deciding.cancel(factories.a_proposal(tenant, by=requester), requester)
    late = factories.a_proposal(tenant)
    deciding.set_deadline(admin, late, "-1 second")
    deciding.insert_verdict(late, subject="sistema", verdict="expirar")
    now = of(tenant).closed[0]
    assert (now.expired, now.cancelled, now.by_people, now.median) == (1, 1, 0, None)


def test_verdicts_one_after_the_other_count_for_the_same_person_only(
    tenant: Tenant, approver: Principal
) -> None:
    for by in (approver, approver, approver, factories.a_principal(tenant, Role.APROVADOR)):
        deciding.refuse(factories.a_proposal(tenant), by)
    assert of(tenant).pace[0] == Pace(verdicts=4, in_a_row=2)


def test_refusals_are_counted_by_their_reason(tenant: Tenant, approver: Principal) -> None:
    browser = as_(approver)
    for _ in range(2):
        browser.status("/aprovacoes/00000000-0000-4000-8000-000000000000/")
    assert of(tenant).refusals == [Refusal(blocked=False, code="nao_encontrado", count=2)]
    assert "O endereço não corresponde a nada que você possa abrir." in browser.read(
        "/aprovacoes/saude/"
    )


def test_another_company_s_queue_is_not_counted(tenant: Tenant) -> None:
    factories.an_approved_execution()
    found = of(tenant)
    assert found.closed == (Closed(), Closed())
    assert sum(map(sum, found.waiting.values())) == 0


@pytest.mark.parametrize("days", ["7", "30", "90", "x", ""])
def test_the_page_answers_for_each_period_and_for_none(tenant: Tenant, days: str) -> None:
    factories.a_proposal(tenant)
    page = a_browser(tenant, Role.AUDITOR).read(f"/aprovacoes/saude/?dias={days}")
    assert f"Últimos {days if days.isdecimal() else 7} dias" in page
    assert "Por idade" in page


def test_a_queue_with_nothing_in_it_says_so(tenant: Tenant) -> None:
    page = a_browser(tenant, Role.ADMIN).read("/aprovacoes/saude/")
    assert "Nada espera por decisão agora." in page
    assert "Nada se encerrou neste período." in page


def test_who_only_asks_does_not_read_it(tenant: Tenant) -> None:
    assert a_browser(tenant, Role.OPERADOR).status("/aprovacoes/saude/") == 403


def test_figures_stop_at_their_bound_and_the_page_says_so(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "MOST", 2)
    for _ in range(3):
        factories.a_proposal(tenant)
    page = a_browser(tenant, Role.ADMIN).read("/aprovacoes/saude/")
    assert "Cada número conta no máximo 2 linhas" in page


def test_what_a_standing_permission_approves_is_nobody_s_decision(committed: None) -> None:
    scene = agents_asking.a_scene()
    agents_asking.permitted(scene)
    agents_asking.a_proposal(scene)
    found = of(scene.tenant)
    now, pace = found.closed[0], found.pace[0]
    assert (now.approved, now.unattended, now.by_people, now.at_once) == (1, 1, 0, 0)
    assert pace.verdicts == 0
