"""Where a decision leads, what the strip says there, and how a refused one is shown in place."""

from __future__ import annotations

import re
from typing import Any

import pytest

from approvals.models import AgenteAprovacao
from audit.models import AgenteAcao
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import tasking
from tests.db.browsing import Browser, as_
from tests.db.deciding import REASON, nothing_happened

pytestmark = pytest.mark.usefixtures("committed")

HTMX: dict[str, Any] = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "decisao"}


def an_approver(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.APROVADOR)


def path_of(proposal: AgenteAprovacao) -> str:
    return f"/aprovacoes/{proposal.ref}/"


def decide(
    browser: Browser, proposal: AgenteAprovacao, act: str = "aprovar", query: str = "", **extra: Any
) -> Any:
    data = {"acao_hash": proposal.acao_hash} | ({"motivo": REASON} if act == "recusar" else {})
    address = f"{path_of(proposal)}{act}/{query}"
    return browser.client.post(address, data, **extra)


def test_a_decision_leads_to_the_next_of_the_queue_it_was_made_in() -> None:
    tenant = factories.a_tenant()
    first = factories.a_proposal(tenant)
    factories.a_proposal(tenant, alias="nucleo", assignees=())
    third = factories.a_proposal(tenant)
    answer = decide(as_(an_approver(tenant)), first, query="?risco=baixo")
    assert answer["Location"] == f"{path_of(third)}?risco=baixo&decidida={first.ref}"


def test_the_last_decision_leads_to_the_queue_of_its_filters() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    answer = decide(as_(an_approver(tenant)), proposal, query="?risco=baixo")
    assert answer["Location"] == f"/aprovacoes/?risco=baixo&decidida={proposal.ref}"


def test_who_prefers_it_goes_back_to_the_queue() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    factories.a_proposal(tenant)
    approver = an_approver(tenant)
    User.objects.filter(pk=approver.user_id).update(next_item=False)
    answer = decide(as_(approver), proposal)
    assert answer["Location"] == f"/aprovacoes/?decidida={proposal.ref}"


def test_a_script_is_sent_to_the_next_page_as_a_whole() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    answer = decide(as_(an_approver(tenant)), proposal, **HTMX)
    assert answer["HX-Redirect"] == f"/aprovacoes/?decidida={proposal.ref}"


def test_the_next_page_names_what_was_decided_and_links_it() -> None:
    tenant = factories.a_tenant()
    first, second = (factories.a_proposal(tenant) for _ in range(2))
    browser = as_(an_approver(tenant))
    page = browser.read(str(decide(browser, first)["Location"]))
    assert re.search(r"Aprovada às \d\d:\d\d:\d\d\.</b> A execução começa agora\.", page)
    assert (
        f'<a href="{path_of(first)}">Criar issue em aurora/infra: {first.proposta["title"]}' in page
    )
    assert not re.search(rf'action="/aprovacoes/{second.ref}/(aprovar|recusar)', page)  # no strip
    assert f"{path_of(second)}?decidir=aprovar" in page


def test_what_has_no_title_is_named_without_a_trailing_colon() -> None:
    tenant = factories.a_tenant()
    tasking.a_policy(tenant)
    task = tasking.a_task(factories.a_principal(tenant, Role.OPERADOR))
    approver = an_approver(tenant)
    factories.approve(task, approver)
    page = as_(approver).read(f"/aprovacoes/?decidida={task.ref}")
    link = page.partition(f'<a href="{path_of(task)}">')[2].partition("</a>")[0]
    assert link.endswith(task.proposta["hosts"][-1])


def test_a_refusal_is_said_as_one() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    browser = as_(an_approver(tenant))
    page = browser.read(str(decide(browser, proposal, "recusar")["Location"]))
    assert re.search(r"Recusada às \d\d:\d\d:\d\d\.</b> Nada será executado", page)


def test_the_strip_tells_nobody_what_another_person_decided() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    factories.approve(proposal, an_approver(tenant))
    page = as_(an_approver(tenant)).read(f"/aprovacoes/?decidida={proposal.ref}")
    assert "Aprovada às" not in page


@pytest.mark.parametrize("ref", ["x", "00000000-0000-4000-8000-000000000000", ""])
def test_a_strange_decided_address_says_nothing(ref: str) -> None:
    page = as_(an_approver(factories.a_tenant())).read(f"/aprovacoes/?decidida={ref}")
    assert "Fila vazia" in page
    assert 'class="note" data-state="done"' not in page


def test_a_late_decision_sees_the_new_state_in_place_and_leaves_its_row() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    first, late = an_approver(tenant), an_approver(tenant)
    factories.approve(proposal, first)
    answer = decide(as_(late), proposal, **HTMX)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "<!doctype" not in page
    assert f"{first.name} decidiu em" in page
    assert re.search(r'id="andamento"[^>]* hx-swap-oob="true"', page)
    assert "na fila de execução" in page
    assert 'aria-keyshortcuts="a"' not in page
    with tenant_scope(tenant.pk):
        assert AgenteAcao.objects.filter(acao="acao.recusada", saida_resumo="ja_decidida").exists()


def test_a_refusal_without_a_reason_opens_its_strip_again_alone() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    browser = as_(an_approver(tenant))
    data = {"acao_hash": proposal.acao_hash, "motivo": "não dá"}
    answer = browser.client.post(f"{path_of(proposal)}recusar/", data, **HTMX)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "<!doctype" not in page
    assert 'href="#id_motivo"' in page
    assert 'aria-invalid="true"' in page
    assert "não dá" in page
    assert nothing_happened(proposal)


def test_a_content_that_is_not_the_one_shown_is_refused_in_place() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    data = {"acao_hash": "0" * 64}
    answer = as_(an_approver(tenant)).client.post(f"{path_of(proposal)}aprovar/", data, **HTMX)
    assert answer.status_code == 409
    assert "conteudo_mudou" in answer.content.decode()
    assert nothing_happened(proposal)


def test_a_foreign_proposal_is_the_same_404_in_place() -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    answer = decide(as_(an_approver(factories.a_tenant())), proposal, **HTMX)
    assert answer.status_code == 404


def test_opening_the_strip_answers_with_the_section_alone_and_decides_nothing() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    browser = as_(an_approver(tenant))
    answer = browser.client.get(f"{path_of(proposal)}?decidir=aprovar", **HTMX)
    page = answer.content.decode().strip()
    assert page.startswith('<section class="decide" id="decisao"')
    assert proposal.acao_hash in page
    assert nothing_happened(proposal)
