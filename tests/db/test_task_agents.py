"""An agent proposes a task: the same rules, a person always, and a word when to come back."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from approvals.models import State, TemplatePreflight
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import AtTheDoor, at_the_door
from tests.db.commanding import (
    SLUG,
    a_company,
    asked,
    proposals,
    read_template,
)
from tests.db.deciding import approver

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def home() -> Tenant:
    return a_company()


@pytest.fixture
def door(home: Tenant) -> AtTheDoor:
    return at_the_door(home, slug=SLUG)


def test_an_agent_without_a_fresh_reading_is_told_when_to_come_back(
    home: Tenant, door: AtTheDoor
) -> None:
    answer = door.post("aprovacoes", asked())
    assert (answer.status, answer.data["codigo"]) == (409, "preflight_pendente")
    assert int(answer.headers["Retry-After"]) > 0
    with tenant_scope(home.pk):
        assert TemplatePreflight.objects.get().template == 21
    read_template(home)
    assert door.post("aprovacoes", asked()).status == 201


def test_a_key_of_an_answer_that_was_not_ready_may_be_used_again(
    home: Tenant, door: AtTheDoor
) -> None:
    assert door.post("aprovacoes", asked(), Idempotency_Key="k1").status == 409
    read_template(home)
    assert door.post("aprovacoes", asked(), Idempotency_Key="k1").status == 201


def test_an_agent_s_task_always_waits_for_a_person(home: Tenant, door: AtTheDoor) -> None:
    read_template(home)
    door.post("aprovacoes", asked())
    (proposal,) = proposals(home)
    assert (proposal.estado, proposal.aprovacoes_exigidas) == (State.PENDENTE, 1)
    approved = factories.approve(proposal, approver(home))
    assert approved.estado == State.APROVADA


def test_the_same_task_in_the_same_run_is_one_proposal_by_id_and_by_alias(
    home: Tenant, door: AtTheDoor
) -> None:
    read_template(home)
    run = str(uuid.uuid4())
    first = door.post("aprovacoes", asked() | {"correlacao_id": run})
    by_alias = asked(template="servico-acao", template_id=None) | {"correlacao_id": run}
    again = door.post("aprovacoes", by_alias)
    assert (first.status, again.status) == (201, 200)
    other = door.post("aprovacoes", asked(limit="srv-pag-03") | {"correlacao_id": run})
    assert other.data["codigo"] == "rodada_com_outro_conteudo"


def test_an_agent_that_the_template_does_not_name_is_refused(home: Tenant) -> None:
    other = at_the_door(home)
    answer = other.post("aprovacoes", asked())
    assert answer.data["codigo"] == "template_nao_permitido"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"limit": "all"}, "destino_nao_e_um_host"),
        ({"limit": None}, "destino_ausente"),
        ({"limit": ["srv-pag-02", "srv-pag-03"]}, "hosts_demais"),
        ({"template_id": None}, "template_ausente"),
        ({"server_action": None}, "variavel_ausente"),
        ({"server_action": "stop"}, "valor_nao_permitido"),
        ({"limits": "all"}, "variavel_desconhecida"),
        ({"template_id": "vinte"}, "campo_ilegivel"),
    ],
)
def test_an_agent_s_odd_command_is_refused_by_a_code_of_its_own(
    door: AtTheDoor, change: dict[str, Any], code: str
) -> None:
    assert door.post("aprovacoes", asked(**change)).data["codigo"] == code
