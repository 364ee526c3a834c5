"""A queue of many: filled as the bench fills it, its pages ask as often as those of a short one."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from approvals.inbox import queue, queue_rows
from approvals.inbox.queue_url import Queue
from opspilot.bench import approvals_fill
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db.browsing import Browser, as_

pytestmark = pytest.mark.usefixtures("committed")

PATHS = (
    "/aprovacoes/",
    "/aprovacoes/?risco=alto&ordem=risco",
    "/aprovacoes/?fila=todas",
    "/aprovacoes/?fila=decididas",
)


@pytest.fixture
def tenant() -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant, projects=PROJECTS)
    return tenant


PROJECTS = {
    alias: {
        "project_id": number,
        "path": f"aurora/{alias}",
        "labels": ["incidente"],
        "assignees": {},
        "risk": risk,
    }
    for number, (alias, risk) in enumerate((("infra", "baixo"), ("pagamentos", "medio")), 1)
}


@pytest.fixture
def reader(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.APROVADOR)


def fill(tenant: Tenant, waiting: int, decided: int = 0) -> None:
    models = approvals_fill.models(tenant.pk)
    approvals_fill.fill(tenant_id=tenant.pk, models=models, waiting=waiting, decided=decided)


def queries(browser: Browser, path: str) -> int:
    with CaptureQueriesContext(connection) as found:
        browser.read(path)
    return len(found)


def test_no_list_asks_more_often_at_a_hundred_or_a_thousand_than_at_ten(
    tenant: Tenant, reader: Principal
) -> None:
    browser, counted = as_(reader), list[list[int]]()
    for waiting, decided in ((0, 10), (90, 90), (900, 100)):
        fill(tenant, waiting, decided)
        counted.append([queries(browser, path) for path in PATHS])
    few, more, many = counted
    assert all(a >= b >= c for a, b, c in zip(few, more, many, strict=True)), counted


def test_a_proposal_deep_in_the_queue_costs_what_the_first_one_costs(
    tenant: Tenant, reader: Principal
) -> None:
    fill(tenant, 1300)
    with tenant_scope(tenant.pk):
        found = queue_rows.Reader(reader).ordered(Queue()).values_list("ref", flat=True)
        first, deep = found[0], found[1200]
    browser = as_(reader)
    assert queries(browser, f"/aprovacoes/{first}/") == queries(browser, f"/aprovacoes/{deep}/")


def test_beyond_the_bound_a_count_says_that_there_are_more(
    tenant: Tenant, reader: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("queue_rows", "queue", "listing"):
        monkeypatch.setattr(f"approvals.inbox.{module}.BOUND", 20)
    monkeypatch.setattr("approvals.inbox.queue.LIMIT", 10)
    fill(tenant, 30)
    page = as_(reader).read("/aprovacoes/")
    assert re.search(r'aria-current="page">Para mim <span class="count">20\+<', page)
    assert "1 a 10 de 20+" in page


def test_past_the_numbers_the_list_goes_on_without_a_gap_or_a_repetition(
    tenant: Tenant, reader: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("queue_rows", "queue", "listing"):
        monkeypatch.setattr(f"approvals.inbox.{module}.BOUND", 20)
    monkeypatch.setattr("approvals.inbox.queue.LIMIT", 10)
    fill(tenant, 40)
    browser, seen, path = as_(reader), list[str](), "/aprovacoes/"
    for _page in range(10):
        text = browser.read(path)
        seen += re.findall(r'class="title" id="([0-9a-f-]+)"', text)
        following = re.search(r'href="([^"]+)" rel="next"', text)
        if following is None:
            break
        path = following[1].replace("&amp;", "&")
    with tenant_scope(tenant.pk):
        found = queue_rows.Reader(reader).ordered(Queue()).values_list("ref", flat=True)
        assert seen == [str(ref) for ref in found]
    assert len(seen) > 30


def test_the_order_by_risk_begins_with_the_high_ones_and_says_so(
    tenant: Tenant, reader: Principal
) -> None:
    fill(tenant, 20)
    with tenant_scope(tenant.pk):
        rows = queue.page(principal=reader, queue=Queue(ordem="risco")).rows
    ranks = [row.urgencia for row in rows]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == 3
    assert "Ordem: risco, depois prazo" in as_(reader).read("/aprovacoes/?ordem=risco")


def test_the_decided_ones_begin_with_the_newest_decision(tenant: Tenant, reader: Principal) -> None:
    first, second = factories.a_proposal(tenant, labels=(), assignees=()), None
    second = factories.a_proposal(tenant, labels=(), assignees=())
    factories.approve(second, factories.a_principal(tenant, Role.APROVADOR))
    factories.approve(first, factories.a_principal(tenant, Role.APROVADOR))
    with tenant_scope(tenant.pk):
        rows = queue.page(principal=reader, queue=Queue("decididas")).rows
    assert [row.ref for row in rows] == [first.ref, second.ref]


def test_an_action_that_is_no_object_any_more_takes_no_page_with_it(
    tenant: Tenant, reader: Principal, admin: Connection
) -> None:
    altered = factories.a_proposal(tenant, labels=(), assignees=())
    admin.execute("UPDATE agente_aprovacao SET proposta = '7' WHERE id = %s", [altered.pk])
    with tenant_scope(tenant.pk):
        rows = queue.page(principal=reader, queue=Queue()).rows
    assert [vars(row)["slim"] for row in rows] == [7]
