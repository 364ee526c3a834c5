"""A queue narrowed by its address, and walked from one proposal to the next."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from approvals.inbox import queue, queue_url
from approvals.inbox.queue_url import NO_COVERAGE, Queue, subject_in_url
from approvals.models import AgenteAprovacao
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import deciding
from tests.db.browsing import Browser, a_browser, as_

pytestmark = pytest.mark.usefixtures("committed")

# With the session, the person, their company and the counts of the frame.
MOST_QUERIES = 20
MOST_QUERIES_OF_NEWS = 16


def refs(principal: Principal, asked: Queue) -> list[object]:
    with tenant_scope(principal.tenant_id):
        return [row.ref for row in queue.page(principal=principal, queue=asked).rows]


def path_of(proposal: AgenteAprovacao) -> str:
    return f"/aprovacoes/{proposal.ref}/"


def three(tenant: Tenant) -> list[AgenteAprovacao]:
    return [factories.a_proposal(tenant) for _ in range(3)]


def one_that_differs() -> tuple[Principal, AgenteAprovacao, Principal]:
    """An approver, the proposal that differs in every way from another, and who asked for it."""
    tenant = factories.a_tenant()
    factories.a_proposal(tenant, coverage="alta")
    by = factories.a_principal(tenant, Role.OPERADOR)
    found = factories.a_proposal(tenant, by=by, alias="nucleo", assignees=())
    return factories.a_principal(tenant, Role.APROVADOR), found, by


@pytest.mark.parametrize("name", ["risco", "alvo", "por", "cobertura"])
def test_each_filter_keeps_what_has_its_value(name: str) -> None:
    reader, proposal, by = one_that_differs()
    value = {
        "risco": "alto",
        "alvo": "nucleo",
        "por": subject_in_url(by.subject),
        "cobertura": NO_COVERAGE,
    }[name]
    assert refs(reader, queue_url.parse({name: value})) == [proposal.ref]


def test_an_empty_list_says_which_filter_hides_how_many() -> None:
    reader, _proposal, _by = one_that_differs()
    page = as_(reader).read("/aprovacoes/?risco=alto&cobertura=alta")
    assert "Nenhuma das 2 propostas desta fila passa no filtro." in page
    assert "Sem “Risco: alto”: 1" in page
    assert "Sem “Cobertura: alta”: 1" in page
    assert 'href="/aprovacoes/"' in page


def test_a_narrowed_list_says_what_it_hides_and_how_to_show_it() -> None:
    reader, proposal, _by = one_that_differs()
    page = as_(reader).read("/aprovacoes/?risco=alto")
    assert "1 de 2. O filtro esconde 1." in page
    assert f'href="{path_of(proposal)}?risco=alto"' in page
    assert "remover filtro" in page


def test_tabs_keep_the_filters_and_count_under_them() -> None:
    reader, _proposal, _by = one_that_differs()
    page = as_(reader).read("/aprovacoes/?risco=alto")
    assert re.search(r'aria-current="page">Para mim <span class="count">1<', page)
    assert 'href="/aprovacoes/?fila=todas&amp;risco=alto"' in page


def test_the_choices_of_another_company_are_not_offered() -> None:
    stranger = factories.a_tenant()
    factories.a_proposal(stranger, alias="nucleo", assignees=())
    tenant = factories.a_tenant()
    factories.a_proposal(tenant)
    page = a_browser(tenant, Role.APROVADOR).read("/aprovacoes/?fila=todas")
    assert '<option value="infra">' in page
    assert "nucleo" not in page


def test_a_proposal_stands_at_its_place_in_the_queue_of_its_address() -> None:
    tenant = factories.a_tenant()
    first, second, third = three(tenant)
    page = a_browser(tenant, Role.APROVADOR).read(f"{path_of(second)}?risco=baixo")
    assert "2 de 3" in page
    assert f'href="{path_of(first)}?risco=baixo" aria-keyshortcuts="k"' in page
    assert f'href="{path_of(third)}?risco=baixo" aria-keyshortcuts="j"' in page
    assert f'href="/aprovacoes/?risco=baixo#{second.ref}"' in page


def test_a_proposal_outside_the_queue_leads_to_its_first() -> None:
    tenant = factories.a_tenant()
    first, second, _third = three(tenant)
    browser = a_browser(tenant, Role.APROVADOR)
    factories.approve(second, factories.a_principal(tenant, Role.APROVADOR))
    assert f'href="{path_of(first)}" aria-keyshortcuts="j"' in browser.read(path_of(second))


def test_the_way_back_leads_to_the_page_of_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("approvals.inbox.queue.LIMIT", 2)
    tenant = factories.a_tenant()
    third = three(tenant)[2]
    page = a_browser(tenant, Role.APROVADOR).read(path_of(third))
    assert f'href="/aprovacoes/?pagina=2#{third.ref}"' in page


def test_a_walk_goes_on_where_its_numbers_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("approvals.inbox.queue_rows.BOUND", 1)
    tenant = factories.a_tenant()
    first, second, third = three(tenant)
    reader = factories.a_principal(tenant, Role.APROVADOR)
    with tenant_scope(tenant.pk):
        inside = queue.place(principal=reader, queue=Queue(), ref=second.ref)
        outside = queue.place(principal=reader, queue=Queue("minhas"), ref=third.ref)
    assert inside == queue.Place(2, 2, first.ref, third.ref, 2)
    assert outside == queue.Place(0, 0, None, None, 2)


def queries_of(browser: Browser, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        browser.read(path)
    return len(queries)


def test_the_list_asks_the_database_as_often_for_twelve_as_for_one() -> None:
    tenant = factories.a_tenant()
    browser = a_browser(tenant, Role.APROVADOR)
    by = factories.a_principal(tenant, Role.OPERADOR)
    factories.a_proposal(tenant, by=by)
    few = queries_of(browser, "/aprovacoes/?risco=baixo")
    for _ in range(11):
        factories.a_proposal(tenant, by=by)
    many = queries_of(browser, "/aprovacoes/?risco=baixo")
    assert (many, many <= MOST_QUERIES) == (few, True)


def test_asking_for_news_is_cheaper_than_the_list() -> None:
    tenant = factories.a_tenant()
    browser = a_browser(tenant, Role.APROVADOR)
    address = "/aprovacoes/novas/?visto=1-1"
    with CaptureQueriesContext(connection) as queries:
        browser.client.get(address, HTTP_HX_REQUEST="true")
    assert len(queries) <= MOST_QUERIES_OF_NEWS


def test_a_page_past_the_end_shows_the_last_one_and_never_an_empty_queue() -> None:
    tenant = factories.a_tenant()
    three(tenant)
    page = a_browser(tenant, Role.APROVADOR).read("/aprovacoes/?pagina=9")
    assert "Fila vazia" not in page
    assert page.count("data-row") == 3


def test_my_own_requests_show_their_states_since_they_do_not_all_wait() -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.OPERADOR)
    deciding.refuse(
        factories.a_proposal(tenant, by=by), factories.a_principal(tenant, Role.APROVADOR)
    )
    assert "recusada" in as_(by).read("/aprovacoes/?fila=minhas")
