"""The simulation equals proposing each one again, for every kind that can be proposed.

Each proposal is really made a second time under the new version, through the service of its kind;
what is stored, or the refusal, is what the simulation must have said before.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from approvals import policies
from approvals.actions import IssueCommand
from approvals.agents.external_command import ExternalCommand
from approvals.errors import PolicyRefusedError
from approvals.models import AgenteAprovacao
from approvals.policy import simulation, stored
from approvals.policy.outcomes import Outcome
from approvals.policy.policy_document import PolicyDocument
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import agents_asking
from tests.db.agents_asking import REFUND, SORTED, Scene

pytestmark = pytest.mark.usefixtures("committed")
CHANGES: dict[str, dict[str, Any]] = {
    "another project": {"projects.infra": {"labels": ["incidente"], "risk": "medio"}},
    "more votes": {"issue_criada": {"quorum": {"baixo": 2, "medio": 2, "alto": 3}}},
    "fewer requesters": {"issue_criada": {"requester_roles": ["admin"]}},
    "a lower ceiling": {f"acoes_externas.{REFUND}": {"ceiling_centavos": 10_000}},
    "another agent": {f"acoes_externas.{REFUND}": {"agents": ["agente-z"]}},
    "other owners": {f"acoes_externas.{REFUND}": {"requester_roles": ["admin"]}},
    "riskier": {f"acoes_externas.{REFUND}": {"risk": "alto"}},
    "fewer choices": {
        f"acoes_externas.{SORTED}": {
            "fields": {"classe": {"type": "escolha", "label": "Classe", "choices": ["b"]}}
        }
    },
    "a person after all": {f"acoes_externas.{SORTED}": {"autorizacao": "humana"}},
    "no kind at all": {"": {"acoes_externas": {}}},
}


@pytest.fixture
def scene() -> Scene:
    """An agent whose owner has exactly the roles its token gives it."""
    found = agents_asking.a_scene()
    owner = factories.a_principal(found.tenant, Role.OPERADOR)
    agent = replace(found.agent, owner=owner.subject, owner_roles=owner.roles)
    return replace(found, owner=owner, agent=agent)


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_predicted_is_what_proposing_again_gives(scene: Scene, name: str) -> None:
    people = [factories.a_principal(scene.tenant, role) for role in (Role.OPERADOR, Role.ADMIN)]
    made = [*asked_by_people(scene, people), *asked_by_agents(scene)]
    document = changed(CHANGES[name])
    with tenant_scope(scene.tenant.pk):
        found = simulation.simulate(document=PolicyDocument.model_validate(document))
    predicted = {row.proposal.pk: row.after for row in found.changed}
    assert found.seen == len(made)
    with tenant_scope(scene.tenant.pk):
        policies.install(document=document, by="admin 1")
    for proposal in made:
        said = predicted.get(proposal.pk, outcome_of(proposal))
        assert said == again(scene, people, proposal), proposal.acao
    assert predicted, "the change must change something"


def asked_by_people(scene: Scene, people: list[Principal]) -> list[AgenteAprovacao]:
    return [
        factories.a_proposal(scene.tenant, by=by, **fields)
        for by in people
        for fields in ({}, {"labels": ("runbook",)}, {"coverage": "baixa"})
    ]


def asked_by_agents(scene: Scene) -> list[AgenteAprovacao]:
    return [
        agents_asking.a_proposal(scene),
        agents_asking.a_proposal(scene, valor=1_000, coverage="baixa"),
        agents_asking.a_proposal(scene, SORTED, classe="a"),
        agents_asking.a_proposal(scene, SORTED, classe="b"),
    ]


def changed(change: dict[str, dict[str, Any]]) -> dict[str, Any]:
    document: dict[str, Any] = copy.deepcopy(factories.POLICY)
    document["acoes_externas"] = copy.deepcopy(agents_asking.EXTERNAL)
    for path, fields in change.items():
        section, _sign, name = path.partition(".")
        place = document[section] if section else document
        (place[name] if name else place).update(copy.deepcopy(fields))
    return document


def again(scene: Scene, people: list[Principal], proposal: AgenteAprovacao) -> Outcome | None:
    """The outcome of the row that a second, equal request makes; None when it is refused."""
    try:
        return outcome_of(second(scene, people, proposal))
    except PolicyRefusedError:
        return None


def second(scene: Scene, people: list[Principal], proposal: AgenteAprovacao) -> AgenteAprovacao:
    with tenant_scope(scene.tenant.pk):
        command = stored.command_of(proposal.proposta)
    if isinstance(command, ExternalCommand):
        return agents_asking.ask(scene, command=command, coverage=proposal.cobertura)[0]
    by = next(person for person in people if person.subject == proposal.solicitante)
    assert isinstance(command, IssueCommand)
    return factories.a_proposal(
        scene.tenant, by=by, coverage=proposal.cobertura, **command.model_dump()
    )


def outcome_of(proposal: AgenteAprovacao) -> Outcome:
    return stored.outcome_of(
        proposal.proposta,
        risk=proposal.risco,
        quorum=proposal.aprovacoes_exigidas,
        approver_role=proposal.papel_exigido,
    )
