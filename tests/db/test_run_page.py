"""The run page: a citation beside the answer, the answer to take along, the wait in words."""

from __future__ import annotations

import datetime as dt
import html
import re

import pytest
from django.db.models.functions import Now

from opspilot.harness import loop, services
from opspilot.harness.models import Run, RunKind, RunState
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.browsing import a_browser, as_

pytestmark = pytest.mark.usefixtures("committed")
QUESTION = "How do I restart the consumer of the payments queue?"


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def asker(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR)


@pytest.fixture
def answered(tenant: Tenant, asker: Principal) -> Run:
    factories.a_published_document(tenant)
    with tenant_scope(tenant.pk):
        run = services.ask(principal=asker, question=QUESTION)
    loop.advance(tenant_id=tenant.pk, run_id=run.pk)
    with tenant_scope(tenant.pk):
        return Run.objects.get(pk=run.pk)


def page_of(run: Run, by: Principal, query: str = "") -> str:
    return as_(by).read(f"/rodadas/{run.ref}/{query}").partition("<main")[2]


def test_a_citation_opens_beside_the_answer_at_its_own_address(
    answered: Run, asker: Principal
) -> None:
    page = page_of(answered, asker)
    assert 'href="?citacao=1#citacao"' in page
    assert '<aside class="panel"' not in page
    beside = page_of(answered, asker, "?citacao=1")
    sentence = answered.answer["sentences"][0]
    marked = re.search(r"<mark>(.*?)</mark>", beside, re.DOTALL)
    assert marked
    assert len(html.unescape(marked[1])) == sentence["end"] - sentence["start"]
    assert f"de={sentence['start']}&amp;ate={sentence['end']}" in beside
    assert beside.count('aria-current="true"') == 1


@pytest.mark.parametrize("number", ["0", "99", "-1", "x", "1" * 9])
def test_a_citation_that_is_not_there_leaves_the_answer_alone(
    answered: Run, asker: Principal, number: str
) -> None:
    assert '<aside class="panel"' not in page_of(answered, asker, f"?citacao={number}")


def test_a_citation_opens_for_whoever_may_read_the_run_and_for_nobody_else(
    answered: Run, tenant: Tenant
) -> None:
    address = f"/rodadas/{answered.ref}/?citacao=1"
    assert a_browser(tenant, Role.AUDITOR).status(address) == 200
    assert a_browser(tenant, Role.OPERADOR).status(address) == 404
    assert a_browser(factories.a_tenant(), Role.AUDITOR).status(address) == 404


def test_the_answer_is_copied_with_its_sources(answered: Run, asker: Principal) -> None:
    found = re.search(r'data-copy="([^"]*)"', page_of(answered, asker))
    assert found
    copied = html.unescape(found[1])
    assert "systemctl restart payments-consumer" in copied
    assert "[1] Payments queue is stuck, versão 1, trecho 1: http://testserver/" in copied


def test_steps_that_did_not_fit_are_named_with_a_link(
    answered: Run, tenant: Tenant, asker: Principal
) -> None:
    with tenant_scope(tenant.pk):
        answered.answer["sentences"][-1]["rest"] = [3, 9]
        answered.save(update_fields=["answer"])
    page = page_of(answered, asker)
    assert re.search(r'<a href="/conhecimento/[^"]+">continua: passos 3 a 9 no runbook</a>', page)


def test_a_wait_is_told_in_seconds_once_it_is_long(tenant: Tenant, asker: Principal) -> None:
    run = factories.a_run(
        tenant, by=asker, kind=RunKind.QUESTION, state=RunState.QUEUED, question=QUESTION
    )
    assert "Pode sair" not in page_of(run, asker)
    with tenant_scope(tenant.pk):
        Run.objects.filter(pk=run.pk).update(created_at=Now() - dt.timedelta(seconds=7))
    page = page_of(run, asker)
    assert re.search(
        r"\b[78] s\. Pode sair: a resposta fica em Minhas perguntas e comandos\.", page
    )
    assert 'href="/perguntar/">Sair da espera' in page


def test_one_s_own_questions_are_listed_with_where_they_stand(
    answered: Run, asker: Principal, tenant: Tenant
) -> None:
    page = as_(asker).read("/perguntar/")
    assert QUESTION in page
    assert "respondida" in page
    assert QUESTION not in a_browser(tenant, Role.OPERADOR).read("/perguntar/")


def test_a_company_without_runbooks_is_told_before_it_asks(asker: Principal) -> None:
    assert "Ainda não há runbook ativo nesta empresa" in as_(asker).read("/perguntar/")
