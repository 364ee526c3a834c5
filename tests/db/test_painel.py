"""The dashboard: what waits, what is stuck, the day in numbers; one failing card leaves the others."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import NoReturn

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from approvals.inbox import health
from approvals.models import Execution, ExecutionState
from audit import trail
from audit.reports import running
from audit.vocabulary import Authorization, Result
from opspilot.painel import queries, views
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import querying
from tests.db.browsing import Browser, a_browser, as_

pytestmark = pytest.mark.usefixtures("committed")
MAX_QUERIES = 45
TITLE = "Reiniciar o consumidor de pagamentos"


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def aprovador(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.APROVADOR)


def panel(principal: Principal) -> str:
    return as_(principal).read("/").partition("<main")[2]


def broken() -> NoReturn:
    """A query that the server refuses, in the connection of the page."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 / 0")
    raise AssertionError("the query was not refused")


def test_the_first_of_my_queue_opens_with_enter(tenant: Tenant, aprovador: Principal) -> None:
    proposal = factories.a_proposal(tenant)
    page = panel(aprovador)
    assert f'href="/aprovacoes/{proposal.ref}/" aria-keyshortcuts="Enter"' in page
    assert "1 decisão espera por você. A mais próxima vence às " in page


def test_an_empty_queue_says_what_was_decided_last(tenant: Tenant, aprovador: Principal) -> None:
    assert "Ainda não houve decisão." in panel(aprovador)
    factories.approve(factories.a_proposal(tenant), aprovador)
    page = panel(aprovador)
    assert "Nada espera por você" in page
    assert f"Última decisão: Criar issue em aurora/infra, {aprovador.name} aprovou às " in page


def test_an_effect_that_stands_still_waits_for_any_person(tenant: Tenant) -> None:
    done = factories.an_approved_execution()
    with tenant_scope(done.tenant.pk):
        Execution.objects.filter(pk=done.execution_id).update(
            state=ExecutionState.DESCONHECIDA, reason="resposta_perdida"
        )
    page = panel(factories.a_principal(done.tenant, Role.AUDITOR))
    assert "Parado até alguém agir" in page
    assert f"{TITLE} · o pedido saiu e a resposta não voltou" in page


def test_a_refused_file_waits_for_whoever_may_send_it_again(
    tenant: Tenant, aprovador: Principal
) -> None:
    factories.read_upload(factories.an_upload(tenant, b"\x00\x01\x02" * 50, name="foto.md"))
    assert "foto.md" in panel(factories.a_principal(tenant, Role.ADMIN))
    assert "foto.md" not in panel(aprovador)
    factories.a_published_document(tenant, name="foto.md")
    assert "arquivo recusado" not in panel(factories.a_principal(tenant, Role.ADMIN))


def test_the_day_counts_what_was_decided_and_how_long_it_took(
    tenant: Tenant, aprovador: Principal
) -> None:
    factories.approve(factories.a_proposal(tenant), aprovador)
    factories.a_proposal(tenant)
    with tenant_scope(tenant.pk):
        decided = queries.decided()
    assert list(decided.counts) == [0] * 11 + [1]
    assert decided.median_seconds is not None
    assert 0 <= decided.median_seconds < 60
    seconds = round(decided.median_seconds)
    assert f"mediana até decidir: {seconds} s" in panel(aprovador)


def test_another_company_s_day_is_not_counted(tenant: Tenant) -> None:
    other = factories.an_approved_execution().tenant
    with tenant_scope(tenant.pk):
        assert sum(queries.decided().counts) == 0
        assert queries.underway().count == 0
    with tenant_scope(other.pk):
        assert sum(queries.decided().counts) == 1


def test_what_is_under_way_says_since_when(tenant: Tenant) -> None:
    factories.an_upload(tenant, b"# Fila\n\nEspere.\n")
    with tenant_scope(tenant.pk):
        found = queries.underway()
    assert found.count == 1
    assert found.oldest is not None
    assert dt.datetime.now(dt.UTC) - found.oldest < dt.timedelta(minutes=1)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("last_day", "Os números da trilha não responderam"),
        ("underway", "Uma das fontes desta lista não respondeu"),
    ],
)
def test_a_card_that_fails_says_which_source_and_the_others_stay(
    tenant: Tenant,
    aprovador: Principal,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    sentence: str,
) -> None:
    factories.a_proposal(tenant)
    monkeypatch.setattr(queries, name, broken)
    page = panel(aprovador)
    assert sentence in page
    assert TITLE in page
    assert "modo embutido" in page


def test_lists_that_fail_leave_the_numbers(
    tenant: Tenant, aprovador: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "_tab", lambda principal, tab: broken())
    page = panel(aprovador)
    for sentence in (
        "A fila de aprovações não respondeu",
        "A lista do que está parado não respondeu",
        "A lista das suas solicitações não respondeu",
        "Decididas",
    ):
        assert sentence in page, sentence


def test_the_dashboard_costs_the_same_however_much_there_is(
    tenant: Tenant, aprovador: Principal
) -> None:
    browser: Browser = as_(aprovador)
    counts = []
    for more in (1, 4):
        for _ in range(more):
            factories.a_proposal(tenant)
        with CaptureQueriesContext(connection) as found:
            browser.read("/")
        counts.append(len(found))
    assert counts[0] == counts[1] < MAX_QUERIES


def test_somebody_with_nothing_to_follow_is_told_so(tenant: Tenant) -> None:
    page = a_browser(tenant, Role.AUDITOR).read("/")
    assert "Nada parado e nada pedido" in page


def test_the_share_handed_over_is_that_of_the_queue_s_health(
    tenant: Tenant, aprovador: Principal
) -> None:
    """Of what was handed over and of the effects carried out: two of the first, one effect."""
    with tenant_scope(tenant.pk):
        for action in ("repasse.humano", "repasse.humano", "issue.criada"):
            trail.record(
                trail.Entry(
                    correlacao_id=uuid.uuid4(),
                    acao=action,
                    resultado=Result.OK,
                    autorizacao=Authorization.HUMANA,
                    aprovado_por=aprovador.signature,
                )
            )
    with tenant_scope(tenant.pk):
        day, (now, _before) = queries.last_day(), health.of(days=7).handed
    assert (sum(day.handed_over), sum(day.effects)) == (now.over, now.effects) == (2, 1)
    assert "66,7 %" in panel(aprovador)


def test_the_share_handed_over_is_that_of_the_auditors_query(tenant: Tenant) -> None:
    with tenant_scope(tenant.pk):
        for result in (Result.OK, Result.ERRO, Result.DESCONHECIDO, Result.RECUSADO):
            querying.a_row(tenant, agente="x", resultado=result)
        querying.a_row(tenant, agente="x", acao="repasse.humano")
    with tenant_scope(tenant.pk):
        day = queries.last_day()
        found, bound = querying.asked("repasse-humano", periodo="7d")
        told = querying.values_of(found, running.page(found, bound).rows[0])
    assert (told["repasses"], told["efeitos"]) == (sum(day.handed_over), sum(day.effects)) == (1, 1)
    assert told["taxa_repasse"] == 50
