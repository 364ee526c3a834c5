"""A simulated policy says exactly what proposing again under it would say."""

from __future__ import annotations

import copy
import uuid
from typing import Any

import pytest

from approvals import drafts, rules
from approvals.authorization import Outcome
from approvals.errors import PolicyRefusedError
from approvals.models import AgenteAprovacao
from approvals.policy import simulation
from approvals.policy.policy_document import PolicyDocument
from approvals.policy.simulation import Simulation
from approvals.tasks.task_command import TaskCommand
from opspilot.tenancy.models import Membership, Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db.deciding import approver

pytestmark = pytest.mark.usefixtures("committed")


def changed_policy(**changes: Any) -> dict[str, Any]:
    document = copy.deepcopy(factories.POLICY)
    for name, value in changes.items():
        place = document if name in document else document["issue_criada"]
        place[name] = value
    return document


def simulate(tenant: Tenant, **changes: Any) -> Simulation:
    with tenant_scope(tenant.pk):
        document = PolicyDocument.model_validate(changed_policy(**changes))
        return simulation.simulate(document=document)


def effects(found: Simulation) -> dict[int, str]:
    return {row.proposal.pk: row.effect for row in found.changed}


def test_the_policy_in_force_changes_nothing() -> None:
    tenant = factories.a_tenant()
    for _ in range(3):
        factories.a_proposal(tenant)
    found = simulate(tenant)
    assert (found.seen, found.changed) == (3, ())


def test_a_stricter_policy_is_counted_by_what_it_does() -> None:
    tenant = factories.a_tenant()
    plain = factories.a_proposal(tenant, labels=(), assignees=())
    labelled = factories.a_proposal(tenant)
    core = factories.a_proposal(tenant, alias="nucleo", labels=(), assignees=())
    projects = factories.projects_with("infra", labels=["runbook"])
    found = simulate(tenant, projects=projects, quorum={"baixo": 2, "medio": 2, "alto": 2})
    assert effects(found) == {plain.pk: "mais_aprovacoes", labelled.pk: "recusada"}
    assert core.pk not in effects(found)
    (refused,) = [row for row in found.changed if row.effect == "recusada"]
    assert (refused.code, refused.after) == ("etiqueta_desconhecida", None)


def test_another_role_or_risk_alone_is_a_change_too() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    assert effects(simulate(tenant, approver_role="admin")) == {proposal.pk: "outro_papel"}
    projects = factories.projects_with("infra", risk="medio")
    assert effects(simulate(tenant, projects=projects)) == {proposal.pk: "outro_risco"}


def test_it_says_which_pending_ones_would_be_marked_and_which_approved_would_be_blocked() -> None:
    tenant = factories.a_tenant()
    waiting = factories.a_proposal(tenant)
    done = factories.approve(factories.a_proposal(tenant), approver(tenant))
    found = simulate(tenant, projects={})
    assert [r.proposal.pk for r in found.changed if r.pending] == [waiting.pk]
    assert [r.proposal.pk for r in found.changed if r.approved_then_blocked] == [done.pk]


def test_what_is_older_than_thirty_days_or_another_tenant_s_is_not_replayed(
    admin: Connection,
) -> None:
    tenant, other = factories.a_tenant(), factories.a_tenant()
    factories.a_proposal(other)
    old, new = factories.a_proposal(tenant), factories.a_proposal(tenant)
    admin.execute(
        "UPDATE agente_aprovacao SET criada_em = criada_em - interval '31 days' WHERE id = %s",
        [old.pk],
    )
    assert effects(simulate(tenant, projects={})) == {new.pk: "recusada"}


def test_the_simulation_equals_proposing_each_one_again_under_the_new_version() -> None:
    tenant = factories.a_tenant()
    requesters = [factories.a_principal(tenant, role) for role in (Role.OPERADOR, Role.ADMIN)]
    variants: list[dict[str, Any]] = [
        {},
        {"labels": ()},
        {"labels": ("runbook",)},
        {"assignees": ()},
        {"coverage": "baixa"},
        {"alias": "nucleo", "labels": (), "assignees": ()},
    ]
    made = [
        factories.a_proposal(tenant, by=by, **variant)
        for by in requesters
        for variant in variants
    ]  # fmt: skip
    changes = {
        "projects": factories.projects_with("infra", labels=["incidente"], risk="medio"),
        "requester_roles": ["admin"],
        "quorum": {"baixo": 1, "medio": 2, "alto": 3},
    }
    predicted = {row.proposal.pk: row.after for row in simulate(tenant, **changes).changed}
    factories.a_policy(tenant, **changes)
    for proposal in made:
        by = next(p for p in requesters if p.subject == proposal.solicitante)
        with tenant_scope(tenant.pk):
            again = proposed_again(proposal, by)
        assert predicted.get(proposal.pk, outcome_before(proposal)) == again


def proposed_again(proposal: AgenteAprovacao, by: Any) -> Outcome | None:
    """The outcome the service gives the same command now; None when it refuses."""
    command = rules.command_of(proposal.proposta)
    assert not isinstance(command, TaskCommand)
    try:
        return drafts.prepare(
            principal=by,
            run_id=uuid.uuid4(),
            command=command,
            coverage=proposal.cobertura,
        ).outcome
    except PolicyRefusedError:
        return None


def outcome_before(proposal: AgenteAprovacao) -> Outcome:
    return rules.outcome_of(
        proposal.proposta,
        risk=proposal.risco,
        quorum=proposal.aprovacoes_exigidas,
        approver_role=proposal.papel_exigido,
    )


def test_a_requester_who_left_does_not_look_like_a_change_of_policy() -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.OPERADOR)
    factories.a_proposal(tenant, by=by)
    with tenant_scope(tenant.pk):
        Membership.objects.filter(user_id=by.user_id).delete()
    assert simulate(tenant).changed == ()
