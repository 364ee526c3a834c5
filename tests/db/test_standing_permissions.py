"""Permission given beforehand: two admins, within limits, counted, ended at once by any of them."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError

from approvals import actions
from approvals.agents import standing
from approvals.agents.agent_errors import PermissionGoneError
from approvals.agents.standing_errors import (
    GiverGoneError,
    InvalidPermissionError,
    OtherAdminConfirmsError,
    OwnerGivesError,
    PermissionEndedError,
)
from approvals.errors import ReasonRequiredError
from approvals.models import (
    AgenteAprovacao,
    Decision,
    StandingPermission,
    StandingUse,
    State,
)
from audit.models import AgenteAcao
from opspilot.errors import RoleRequiredError
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import agents_asking as agents
from tests.db import lending
from tests.db.agents_asking import CHANGED, REFUND, SORTED, Scene
from tests.db.deciding import insert_verdict
from tests.db.races import at_once

pytestmark = pytest.mark.usefixtures("committed")
REASON = "O agente mudou de fornecedor."


@pytest.fixture
def scene(committed: None) -> Scene:
    return agents.a_scene()


def confirm(scene: Scene, permission: StandingPermission, by: Principal) -> None:
    with tenant_scope(scene.tenant.pk):
        standing.confirm(permission=permission, admin=by, owner=scene.owner.subject)


def revoke(scene: Scene, permission: StandingPermission, by: Principal) -> None:
    with tenant_scope(scene.tenant.pk):
        standing.revoke(permission=permission, admin=by, reason=REASON)


def used(permission: StandingPermission) -> int:
    with tenant_scope(permission.tenant_id):
        return StandingUse.objects.filter(permission=permission).count()


def test_a_proposal_under_a_permission_is_approved_and_the_trail_names_who_gave_it(
    scene: Scene,
) -> None:
    permission = agents.permitted(scene)
    proposal = agents.a_proposal(scene)
    assert proposal.estado == State.APROVADA
    with tenant_scope(scene.tenant.pk):
        row = AgenteAcao.objects.get(acao="aprovacao.concedida")
        use = StandingUse.objects.get(approval=proposal)
    assert row.autorizacao == "previa"
    assert row.aprovado_por == ", ".join(admin.signature for admin in scene.admins)
    assert (use.permission_id, use.amount_centavos) == (permission.pk, 12_000)


def test_its_consumption_and_effect_say_previa_too(scene: Scene) -> None:
    agents.permitted(scene)
    agents.consume(scene, agents.a_proposal(scene))
    with tenant_scope(scene.tenant.pk):
        row = AgenteAcao.objects.get(acao="aprovacao.consumida")
    assert (row.autorizacao, row.aprovado_por) == (
        "previa",
        ", ".join(admin.signature for admin in scene.admins),
    )


def test_before_the_second_admin_nothing_is_permitted(scene: Scene) -> None:
    agents.proposed(scene)
    assert agents.a_proposal(scene).estado == State.PENDENTE


@pytest.mark.parametrize(
    "fields", [{"valor": 50_001}, {"valor": 99_999, "motivo": "erro"}], ids=["one", "two"]
)
def test_above_the_ceiling_a_person_decides(scene: Scene, fields: dict[str, Any]) -> None:
    permission = agents.permitted(scene)
    assert agents.a_proposal(scene, **fields).estado == State.PENDENTE
    assert used(permission) == 0


def test_another_kind_waits_for_a_person(scene: Scene) -> None:
    agents.permitted(scene)
    assert agents.a_proposal(scene, CHANGED, valor_novo="rua B, 20").estado == State.PENDENTE


def test_an_issue_of_the_same_agent_always_waits_for_a_person(scene: Scene) -> None:
    agents.permitted(scene)
    proposal, _made = agents.ask(scene, command=actions.parse(factories.a_command()))
    assert proposal.estado == State.PENDENTE


@pytest.mark.parametrize("kind", ["issue.criada", "tarefa.executada", SORTED, "token.emitido"])
def test_only_what_an_agent_carries_out_and_a_person_would_approve_can_be_permitted(
    scene: Scene, kind: str
) -> None:
    with pytest.raises(InvalidPermissionError) as caught:
        agents.proposed(scene, kind=kind, ceiling_centavos=None)
    assert caught.value.facts == {"fields": ["kind"]}


@pytest.mark.parametrize("kind", ["issue.criada", "tarefa.executada"])
def test_the_database_keeps_no_permission_for_what_reaches_gitlab_or_semaphore(
    scene: Scene, admin: Connection, kind: str
) -> None:
    permission = agents.proposed(scene)
    with pytest.raises(Exception, match="standing_permission_kind"):
        admin.execute("UPDATE standing_permission SET kind = %s WHERE id = %s",
                      [kind, permission.pk])  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"agent": "agente-z"}, "agent"),
        ({"ceiling_centavos": None}, "ceiling_centavos"),
        ({"ceiling_centavos": 100_001}, "ceiling_centavos"),
        ({"ceiling_centavos": 0}, "ceiling_centavos"),
        ({"kind": CHANGED}, "ceiling_centavos"),
        ({"max_uses": 0, "period_uses": 0}, "max_uses"),
        ({"period_uses": 11}, "period_uses"),
        ({"days": 91}, "days"),
        ({"days": 0}, "days"),
    ],
)
def test_a_permission_outside_the_limits_is_refused_by_name(
    scene: Scene, changes: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidPermissionError) as caught:
        agents.proposed(scene, **changes)
    assert field in caught.value.facts["fields"]


def test_a_permission_says_why(scene: Scene) -> None:
    with pytest.raises(ReasonRequiredError):
        agents.proposed(scene, reason="sim")


def test_who_proposed_it_does_not_confirm_it(scene: Scene) -> None:
    with pytest.raises(OtherAdminConfirmsError):
        confirm(scene, agents.proposed(scene), scene.admins[0])


def test_the_database_refuses_one_person_for_both(scene: Scene) -> None:
    permission = agents.proposed(scene)
    with tenant_scope(scene.tenant.pk), pytest.raises(DatabaseError, match="two_people"):
        StandingPermission.objects.filter(pk=permission.pk).update(
            confirmed_by=scene.admins[0].subject, confirmed_name="x"
        )


def test_the_agent_s_owner_neither_proposes_nor_confirms(scene: Scene) -> None:
    permission = agents.proposed(scene)
    with pytest.raises(OwnerGivesError):
        confirm(scene, permission, scene.owner)
    with tenant_scope(scene.tenant.pk), pytest.raises(OwnerGivesError):
        standing.propose(admin=scene.owner, owner=scene.owner.subject, terms=agents.terms())


def test_the_database_refuses_the_owner_as_one_of_the_two(scene: Scene) -> None:
    permission = agents.proposed(scene)
    with tenant_scope(scene.tenant.pk), pytest.raises(DatabaseError, match="not_the_owner"):
        StandingPermission.objects.filter(pk=permission.pk).update(
            confirmed_by=scene.owner.subject, confirmed_name="x"
        )


def test_an_agent_that_has_changed_hands_is_not_covered_by_its_new_owner_s_permission(
    scene: Scene,
) -> None:
    agents.permitted(scene)
    handed_over = agents.an_agent(scene.tenant, scene.admins[0])
    assert agents.ask(scene, by=handed_over)[0].estado == State.PENDENTE


def test_only_an_admin_proposes_confirms_and_revokes(scene: Scene) -> None:
    permission = agents.proposed(scene)
    with pytest.raises(RoleRequiredError):
        confirm(scene, permission, scene.approver)
    with pytest.raises(RoleRequiredError):
        revoke(scene, permission, scene.approver)


def test_it_is_confirmed_once_and_revoked_once(scene: Scene) -> None:
    permission = agents.permitted(scene)
    with pytest.raises(PermissionEndedError):
        confirm(scene, permission, scene.admins[1])
    revoke(scene, permission, scene.owner)
    with pytest.raises(PermissionEndedError):
        revoke(scene, permission, scene.admins[0])


def test_a_revoked_permission_stops_also_what_was_approved_and_not_consumed(scene: Scene) -> None:
    permission = agents.permitted(scene)
    proposal = agents.a_proposal(scene)
    revoke(scene, permission, scene.admins[0])
    with pytest.raises(PermissionGoneError):
        agents.consume(scene, proposal)
    assert agents.a_proposal(scene).estado == State.PENDENTE


def test_after_its_end_it_permits_nothing(scene: Scene, admin: Connection) -> None:
    permission = agents.permitted(scene)
    admin.execute(
        "UPDATE standing_permission SET proposed_at = now() - interval '2 days', "
        "ends_at = now() - interval '1 second' WHERE id = %s",
        [permission.pk],
    )
    assert agents.a_proposal(scene).estado == State.PENDENTE


def test_the_uses_of_a_period_are_counted_and_come_back_when_it_is_over(
    scene: Scene, admin: Connection
) -> None:
    permission = agents.permitted(scene, max_uses=3, period_uses=1)
    states = [agents.a_proposal(scene).estado for _ in range(2)]
    assert states == [State.APROVADA, State.PENDENTE]
    admin.execute("ALTER TABLE standing_use DISABLE TRIGGER append_only")
    admin.execute("UPDATE standing_use SET at = at - interval '25 hours'")
    admin.execute("ALTER TABLE standing_use ENABLE TRIGGER append_only")
    assert agents.a_proposal(scene).estado == State.APROVADA
    with tenant_scope(scene.tenant.pk):
        (counted,) = standing.counted()
    assert (counted.permission.pk, counted.uses, counted.recent) == (permission.pk, 2, 1)


def test_eight_at_once_against_three_uses_make_three(scene: Scene) -> None:
    permission = agents.permitted(scene, max_uses=3, period_uses=3)
    outcomes = at_once([partial(agents.a_proposal, scene)] * 8)
    made = [o for o in outcomes if isinstance(o, AgenteAprovacao)]
    assert len(made) == 8, outcomes
    assert [row.estado for row in made].count(State.APROVADA) == 3
    assert used(permission) == 3
    with tenant_scope(scene.tenant.pk):
        assert Decision.objects.filter(subject=f"permissao:{permission.ref}").count() == 3


def test_the_database_approves_nothing_under_a_permission_that_was_not_counted(
    scene: Scene,
) -> None:
    proposal = agents.a_proposal(scene)
    permission = agents.permitted(scene)
    with pytest.raises(DatabaseError, match="no use of this permission was counted"):
        insert_verdict(proposal, subject=f"permissao:{permission.ref}", verdict="aprovar")


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"ceiling_centavos": 11_999}, "above the ceiling"),
        ({"kind": CHANGED, "ceiling_centavos": None}, "for something else"),
    ],
)
def test_the_database_counts_no_use_outside_the_permission(
    scene: Scene, terms: dict[str, Any], words: str
) -> None:
    proposal = agents.a_proposal(scene)
    permission = agents.permitted(scene, **terms)
    with tenant_scope(scene.tenant.pk), pytest.raises(DatabaseError, match=words):
        StandingUse.objects.create(
            tenant_id=scene.tenant.pk, permission=permission, approval=proposal
        )


def test_the_database_counts_no_use_of_a_permission_nobody_confirmed(scene: Scene) -> None:
    permission, proposal = agents.proposed(scene), agents.a_proposal(scene)
    with tenant_scope(scene.tenant.pk), pytest.raises(DatabaseError, match="not in force"):
        StandingUse.objects.create(
            tenant_id=scene.tenant.pk, permission=permission, approval=proposal
        )


def test_what_the_policy_no_longer_has_is_not_confirmed(scene: Scene) -> None:
    permission = agents.proposed(scene)
    agents.a_policy(scene.tenant, estorno__emitido={"agents": ["agente-c"]})
    with pytest.raises(InvalidPermissionError):
        confirm(scene, permission, scene.admins[1])


def test_the_three_acts_stand_in_the_trail(scene: Scene) -> None:
    permission = agents.permitted(scene)
    revoke(scene, permission, scene.admins[0])
    with tenant_scope(scene.tenant.pk):
        rows = AgenteAcao.objects.filter(acao__startswith="permissao.").order_by("id")
        acts = [(row.acao, row.autorizacao) for row in rows]
    assert acts == [
        ("permissao.proposta", "regra"),
        ("permissao.confirmada", "humana"),
        ("permissao.revogada", "regra"),
    ]
    assert REFUND in (rows[0].saida_resumo or "")


@pytest.mark.parametrize("who", [0, 1])
def test_it_counts_no_more_when_one_who_gave_it_is_no_admin_any_more(
    scene: Scene, who: int
) -> None:
    permission = agents.permitted(scene)
    lending.set_roles(scene.tenant, scene.admins[who], Role.OPERADOR)
    assert agents.a_proposal(scene).estado == State.PENDENTE
    assert used(permission) == 0
    lending.set_roles(scene.tenant, scene.admins[who], Role.ADMIN)
    assert agents.a_proposal(scene, pedido="P-2").estado == State.APROVADA


def test_what_it_approved_is_not_handed_over_when_one_who_gave_it_has_left(scene: Scene) -> None:
    agents.permitted(scene)
    proposal = agents.a_proposal(scene)
    lending.deactivate(scene.admins[0])
    with pytest.raises(PermissionGoneError):
        agents.consume(scene, proposal)


def test_the_database_counts_no_use_of_a_permission_whose_giver_has_gone(scene: Scene) -> None:
    permission = agents.permitted(scene)
    lending.set_roles(scene.tenant, scene.admins[0], Role.OPERADOR)
    proposal = agents.a_proposal(scene)
    with tenant_scope(scene.tenant.pk), pytest.raises(DatabaseError, match="no admin any more"):
        StandingUse(tenant_id=scene.tenant.pk, permission=permission, approval=proposal).save(
            force_insert=True
        )


def test_who_issued_the_agent_s_token_gives_nothing(scene: Scene) -> None:
    first, second = scene.admins
    behind = frozenset({first.subject})
    with tenant_scope(scene.tenant.pk), pytest.raises(OwnerGivesError):
        standing.propose(
            admin=first, owner=scene.owner.subject, terms=agents.terms(), behind=behind
        )
    permission = agents.proposed(scene)
    with tenant_scope(scene.tenant.pk), pytest.raises(OwnerGivesError):
        standing.confirm(
            permission=permission, admin=second, owner=scene.owner.subject, behind=behind
        )


def test_what_somebody_who_has_left_proposed_is_not_confirmed(scene: Scene) -> None:
    permission = agents.proposed(scene)
    lending.set_roles(scene.tenant, scene.admins[0], Role.OPERADOR)
    with pytest.raises(GiverGoneError):
        confirm(scene, permission, scene.admins[1])
