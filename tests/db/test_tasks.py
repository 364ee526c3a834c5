"""A stored task: read back whole, evaluated again, and decided."""

from __future__ import annotations

from typing import Any

import pytest

from approvals import rules
from approvals.errors import PolicyMovedError, PolicyRefusedError
from approvals.models import AgenteAprovacao
from approvals.policy import simulation, stored
from approvals.policy.outcomes import Outcome
from approvals.policy.policy_document import PolicyDocument
from approvals.tasks import task_command
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import tasking
from tests.db.deciding import approver

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def home() -> Tenant:
    tenant = factories.a_tenant()
    tasking.a_policy(tenant)
    return tenant


@pytest.fixture
def operador(home: Tenant) -> Principal:
    return factories.a_principal(home, Role.OPERADOR)


def moved(proposal: AgenteAprovacao) -> bool:
    with tenant_scope(proposal.tenant_id):
        return rules.moved(AgenteAprovacao.objects.get(pk=proposal.pk))


def test_a_task_is_read_back_whole_from_its_action(operador: Principal) -> None:
    command = stored.command_of(tasking.a_task(operador).proposta)
    assert command == task_command.read(tasking.COMMAND | {"template_id": 21})


@pytest.mark.parametrize(
    "change",
    [
        {"templates": tasking.templates("servico-acao", fingerprint="f" * 64)},
        {"templates": tasking.templates("servico-acao", project_id=9)},
        {"templates": tasking.templates("servico-acao", hosts=["srv-pag-03"])},
        {"templates": tasking.templates("servico-acao", risk="baixo")},
        {"templates": {}},
        {"quorum": {"baixo": 1, "medio": 2, "alto": 2}},
        {"approver_role": "admin"},
    ],
)
def test_a_policy_that_runs_it_differently_has_moved(
    home: Tenant, operador: Principal, change: dict[str, Any]
) -> None:
    proposal = tasking.a_task(operador)
    assert not moved(proposal)
    tasking.a_policy(home, **change)
    assert moved(proposal)


def test_a_new_version_with_the_same_outcome_has_not_moved(
    home: Tenant, operador: Principal
) -> None:
    proposal = tasking.a_task(operador)
    tasking.a_policy(home, expires_minutes=5, requester_roles=["admin"])
    assert not moved(proposal)


def test_a_policy_that_drops_tasks_blocks_the_decision(home: Tenant, operador: Principal) -> None:
    proposal = tasking.a_task(operador)
    factories.a_policy(home)
    with pytest.raises(PolicyMovedError):
        factories.approve(proposal, approver(home))


def test_an_action_of_an_unknown_kind_has_moved_and_breaks_no_page(
    home: Tenant, operador: Principal
) -> None:
    proposal = tasking.a_task(operador)
    proposal.proposta = proposal.proposta | {"kind": "cofre.aberto"}
    with tenant_scope(home.pk):
        assert rules.moved(proposal)


def test_the_simulation_of_tasks_equals_asking_each_one_again(
    home: Tenant, operador: Principal
) -> None:
    admin = factories.a_principal(home, Role.ADMIN)
    made = [
        tasking.a_task(by, **fields)
        for by in (operador, admin)
        for fields in (
            {},
            {"limit": "srv-pag-03"},
            {"server_action": "status"},
            {"coverage": "baixa"},
            {"template": "implantar-servico", "limit": "srv-api-04", "deploy_service": "api-medicao",
             "server_name": None, "server_action": None},
        )
    ]  # fmt: skip
    change: dict[str, Any] = {
        "templates": tasking.templates(
            "servico-acao",
            hosts=["srv-pag-02"],
            variables={
                "server_name": {"required": True, "values": ["liq-worker-3"]},
                "server_action": {"required": True, "values": ["restart"]},
            },
        ),
        "requester_roles": ["operador"],
        "quorum": {"baixo": 1, "medio": 2, "alto": 3},
    }
    document = PolicyDocument.model_validate(tasking.document(**change))
    with tenant_scope(home.pk):
        found = simulation.simulate(document=document)
    predicted = {row.proposal.pk: row.after for row in found.changed}
    tasking.a_policy(home, **change)
    for proposal in made:
        by = operador if proposal.solicitante == operador.subject else admin
        expected = asked_again(proposal, by)
        assert predicted.get(proposal.pk, expected) == expected
        assert (proposal.pk in predicted) == (expected != outcome_before(proposal))


def asked_again(proposal: AgenteAprovacao, by: Principal) -> Outcome | None:
    with tenant_scope(by.tenant_id):
        try:
            return rules.evaluate(
                policy=rules.in_force(),
                command=stored.command_of(proposal.proposta),
                roles=by.roles,
                coverage=proposal.cobertura,
            )
        except PolicyRefusedError:
            return None


def outcome_before(proposal: AgenteAprovacao) -> Outcome:
    return stored.outcome_of(
        proposal.proposta,
        risk=proposal.risco,
        quorum=proposal.aprovacoes_exigidas,
        approver_role=proposal.papel_exigido,
    )
