"""What the line above a list says has changed since it was shown."""

from __future__ import annotations

import html
import re

import pytest
from django.http import HttpResponse

from approvals.models import Execution, ExecutionState
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.browsing import Browser, as_

pytestmark = pytest.mark.usefixtures("committed")


def shown(browser: Browser, path: str = "/aprovacoes/") -> str:
    """The address that the list now shown will ask."""
    found = re.search(r'id="novas"[^>]* hx-get="([^"]+)"', browser.read(path))
    assert found
    return html.unescape(found[1])


def asked(browser: Browser, address: str) -> HttpResponse:
    return browser.client.get(address, HTTP_HX_REQUEST="true")  # type: ignore[return-value]


def said(browser: Browser, address: str) -> str:
    answer = asked(browser, address)
    found = re.search(r'id="mostrar"[^>]*>([^<]+)<', answer.content.decode())
    return found[1] if found else ""


def an_approver(tenant: Tenant) -> Browser:
    return as_(factories.a_principal(tenant, Role.APROVADOR))


def test_nothing_new_is_answered_with_nothing() -> None:
    tenant = factories.a_tenant()
    factories.a_proposal(tenant)
    browser = an_approver(tenant)
    assert asked(browser, shown(browser)).status_code == 204


def test_what_came_and_what_left_is_counted_apart() -> None:
    tenant = factories.a_tenant()
    decided = factories.a_proposal(tenant)
    factories.a_proposal(tenant)
    browser = an_approver(tenant)
    address = shown(browser)
    factories.approve(decided, factories.a_principal(tenant, Role.APROVADOR))
    for _ in range(3):
        factories.a_proposal(tenant)
    assert said(browser, address) == "3 novas, 1 já saiu: mostrar"


def test_an_empty_list_counts_what_comes() -> None:
    tenant = factories.a_tenant()
    browser = an_approver(tenant)
    address = shown(browser)
    factories.a_proposal(tenant)
    assert said(browser, address) == "1 nova: mostrar"


def test_what_was_said_is_not_said_again() -> None:
    tenant = factories.a_tenant()
    browser = an_approver(tenant)
    address = shown(browser)
    factories.a_proposal(tenant)
    page = asked(browser, address).content.decode()
    found = re.search(r'hx-get="([^"]+)"', page)
    assert found
    assert asked(browser, html.unescape(found[1])).status_code == 204


def test_only_what_passes_the_filter_is_new() -> None:
    tenant = factories.a_tenant()
    factories.a_proposal(tenant)
    browser = an_approver(tenant)
    address = shown(browser, "/aprovacoes/?risco=alto")
    factories.a_proposal(tenant)
    factories.a_proposal(tenant, alias="nucleo", assignees=())
    assert said(browser, address) == "1 nova: mostrar"


def test_what_another_company_does_is_never_counted() -> None:
    tenant, stranger = factories.a_tenant(), factories.a_tenant()
    browser = an_approver(tenant)
    addresses = [shown(browser, f"/aprovacoes/?fila={tab}") for tab in ("para-mim", "todas")]
    factories.a_proposal(stranger)
    assert [asked(browser, address).status_code for address in addresses] == [204, 204]


def test_the_mark_of_another_company_counts_only_what_is_ours() -> None:
    tenant, stranger = factories.a_tenant(), factories.a_tenant()
    for _ in range(2):
        factories.a_proposal(stranger)
    foreign = shown(an_approver(stranger))
    assert said(an_approver(tenant), foreign) == "2 já saíram: mostrar"


def test_decided_proposals_are_new_to_the_list_of_decided_ones() -> None:
    tenant = factories.a_tenant()
    proposals = [factories.a_proposal(tenant) for _ in range(2)]
    deciding = factories.a_principal(tenant, Role.APROVADOR)
    factories.approve(proposals[0], deciding)
    browser = an_approver(tenant)
    address = shown(browser, "/aprovacoes/?fila=decididas")
    factories.approve(proposals[1], deciding)
    assert said(browser, address) == "1 nova: mostrar"


def test_an_execution_that_ends_leaves_the_list_of_running_ones() -> None:
    approved = factories.an_approved_execution()
    browser = as_(approved.approver)
    address = shown(browser, "/aprovacoes/?fila=andamento")
    with tenant_scope(approved.tenant.pk):
        Execution.objects.filter(pk=approved.execution_id).update(state=ExecutionState.BLOQUEADA)
    assert said(browser, address) == "1 já saiu: mostrar"


@pytest.mark.parametrize("mark", ["", "x", "1"])
def test_an_address_without_a_mark_leads_to_the_list(mark: str) -> None:
    answer = asked(an_approver(factories.a_tenant()), f"/aprovacoes/novas/?visto={mark}&fila=todas")
    assert (answer.status_code, answer["Location"]) == (302, "/aprovacoes/?fila=todas")


def test_opened_as_a_page_it_leads_to_the_list() -> None:
    tenant = factories.a_tenant()
    browser = an_approver(tenant)
    assert "Aprovações" in browser.read(shown(browser))
