"""Somebody takes several of their own requests back: each is told by itself, none of a high risk."""

from __future__ import annotations

import re
from uuid import UUID, uuid4

import pytest
from django.db import connection

from approvals.inbox import bulk_cancel
from approvals.inbox.bulk_cancel import Ending
from approvals.models import AgenteAprovacao, Decision, State
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import deciding
from tests.db.browsing import as_

pytestmark = pytest.mark.usefixtures("committed")
CONFIRM = "/aprovacoes/cancelamento/confirmar/"


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def requester(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR)


def endings(requester: Principal, *refs: UUID) -> list[Ending]:
    with tenant_scope(requester.tenant_id):
        found = bulk_cancel.cancel_many(principal=requester, refs=refs)
    return [outcome.ending for outcome in found]


def state(proposal: AgenteAprovacao) -> str:
    with tenant_scope(proposal.tenant_id):
        return str(AgenteAprovacao.objects.get(pk=proposal.pk).estado)


def trail(tenant: Tenant, action: str) -> int:
    with tenant_scope(tenant.pk), connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM agente_acao WHERE acao = %s", [action])
        return int(cursor.fetchone()[0])


def test_each_row_has_its_own_outcome_and_its_own_line_in_the_trail(
    tenant: Tenant, requester: Principal, admin: Connection
) -> None:
    mine = [factories.a_proposal(tenant, by=requester) for _ in range(4)]
    high = factories.a_proposal(tenant, by=requester, alias="nucleo", assignees=())
    foreign = factories.a_proposal(tenant)
    deciding.refuse(mine[2], deciding.approver(tenant))
    deciding.set_deadline(admin, mine[3], "-1 second")
    refs = [mine[0].ref, mine[1].ref, mine[2].ref, mine[3].ref, high.ref, foreign.ref, uuid4()]
    assert endings(requester, *refs) == [
        "cancelled", "cancelled", "closed", "expired", "high_risk", "unknown", "unknown",
    ]  # fmt: skip
    assert [state(p) for p in (*mine[:2], high, foreign)] == [
        State.CANCELADA, State.CANCELADA, State.PENDENTE, State.PENDENTE,
    ]  # fmt: skip
    assert (trail(tenant, "aprovacao.cancelada"), trail(tenant, "acao.recusada")) == (2, 4)


def test_done_again_it_changes_nothing(tenant: Tenant, requester: Principal) -> None:
    proposal = factories.a_proposal(tenant, by=requester)
    assert endings(requester, proposal.ref, proposal.ref) == ["cancelled"]
    assert endings(requester, proposal.ref) == ["closed"]
    with tenant_scope(tenant.pk):
        assert Decision.objects.filter(approval=proposal).count() == 1


def test_no_more_than_a_page_is_taken_back_at_once(tenant: Tenant, requester: Principal) -> None:
    assert len(endings(requester, *(uuid4() for _ in range(bulk_cancel.MOST + 5)))) == 50


def test_only_the_marked_ones_are_cancelled(tenant: Tenant, requester: Principal) -> None:
    first, second = (factories.a_proposal(tenant, by=requester) for _ in range(2))
    page = as_(requester).send(CONFIRM, ref=[first.ref], mostrada=[first.ref, second.ref])
    assert "1 pedido cancelado" in page
    assert (state(first), state(second)) == (State.CANCELADA, State.PENDENTE)


def test_all_means_those_that_were_displayed(tenant: Tenant, requester: Principal) -> None:
    first, later = (factories.a_proposal(tenant, by=requester) for _ in range(2))
    page = as_(requester).send(CONFIRM, mostrada=[first.ref], todas="sim", certo="sim")
    assert "cancelada agora" in page
    assert (state(first), state(later)) == (State.CANCELADA, State.PENDENTE)


def test_all_of_them_are_named_and_asked_for_once_more_before_any_goes(
    tenant: Tenant, requester: Principal
) -> None:
    mine = [factories.a_proposal(tenant, by=requester, title=f"Fila {n}") for n in range(7)]
    high = factories.a_proposal(tenant, by=requester, alias="nucleo", assignees=())
    refs = [proposal.ref for proposal in (*mine, high)]
    page = as_(requester).send(CONFIRM, mostrada=refs, todas="sim")
    assert "Cancelar 7 pedidos?" in page
    assert [f"Fila {n}" in page for n in range(7)] == [True] * 5 + [False] * 2
    assert "e mais 2" in page
    assert {state(proposal) for proposal in mine} == {State.PENDENTE}


def test_the_page_that_asks_once_more_carries_what_was_shown_and_nothing_newer(
    tenant: Tenant, requester: Principal
) -> None:
    shown, later = (factories.a_proposal(tenant, by=requester) for _ in range(2))
    page = as_(requester).send(CONFIRM, mostrada=[shown.ref], todas="sim")
    assert re.findall(r'name="mostrada" value="([0-9a-f-]+)"', page) == [str(shown.ref)]
    assert 'name="certo" value="sim"' in page
    assert str(later.ref) not in page


def test_with_nothing_left_to_cancel_nothing_is_asked(tenant: Tenant, requester: Principal) -> None:
    gone = factories.a_proposal(tenant, by=requester)
    deciding.cancel(gone, requester)
    page = as_(requester).send(CONFIRM, mostrada=[gone.ref], todas="sim")
    assert "já estava encerrada" in page


def test_the_page_offers_own_waiting_requests_and_no_box_for_a_high_risk(
    tenant: Tenant, requester: Principal
) -> None:
    mine = factories.a_proposal(tenant, by=requester)
    high = factories.a_proposal(tenant, by=requester, alias="nucleo", assignees=())
    foreign = factories.a_proposal(tenant)
    page = as_(requester).read("/aprovacoes/cancelamento/")
    assert f'name="ref" value="{mine.ref}"' in page
    assert str(high.ref) in page
    assert f'value="{high.ref}"' not in page
    assert str(foreign.ref) not in page


def test_a_field_nobody_asked_for_and_a_broken_reference_are_refused(requester: Principal) -> None:
    browser = as_(requester)
    for data in ({"tenant": "x"}, {"ref": ["nada"]}):
        assert browser.client.post(CONFIRM, data).status_code == 422


def test_nothing_marked_and_nothing_to_mark_say_what_to_do(requester: Principal) -> None:
    browser = as_(requester)
    assert "Nenhum pedido foi marcado" in browser.send(CONFIRM)
    assert "Nenhum pedido seu espera decisão" in browser.read("/aprovacoes/cancelamento/")


def test_opened_as_a_page_it_leads_to_the_choice_and_decides_nothing(
    tenant: Tenant, requester: Principal
) -> None:
    proposal = factories.a_proposal(tenant, by=requester)
    answer = as_(requester).client.get(f"{CONFIRM}?todas=sim&mostrada={proposal.ref}")
    assert (answer.status_code, answer["Location"]) == (302, "/aprovacoes/cancelamento/")
    assert state(proposal) == State.PENDENTE
