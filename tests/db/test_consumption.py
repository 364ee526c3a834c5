"""An approved action is handed to the agent that asked: once, in time, and as it was approved."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError

from approvals import actions, proposals
from approvals.agents import consumption, uses
from approvals.agents.agent_errors import (
    AlreadyConsumedError,
    AlreadyReportedError,
    HeldError,
    NotApprovedError,
    NothingConsumedError,
    NothingToConsumeError,
    TooLateError,
    WithdrawnError,
)
from approvals.errors import ContentChangedError, NothingToWithdrawError, PolicyMovedError
from approvals.execution import withdrawal
from approvals.inbox import wording
from approvals.models import AgenteAprovacao, Consumption, EffectOutcome, EffectReport
from audit.models import AgenteAcao
from opspilot.errors import NotFoundError
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import agents_asking as agents
from tests.db import browsing
from tests.db.agents_asking import REFUND, SORTED, Scene
from tests.db.races import at_once

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def scene(committed: None) -> Scene:
    return agents.a_scene()


def report(
    scene: Scene, proposal: AgenteAprovacao, outcome: str = "ok", **values: Any
) -> EffectReport:
    with tenant_scope(scene.tenant.pk):
        return consumption.report_effect(
            agent=scene.agent, proposal=proposal, outcome=EffectOutcome(outcome), **values
        )


def withdraw(scene: Scene, proposal: AgenteAprovacao) -> None:
    with tenant_scope(scene.tenant.pk):
        withdrawal.withdraw(proposal=proposal, decider=scene.approver)


def end_time(admin: Connection, proposal: AgenteAprovacao) -> None:
    admin.execute(
        "UPDATE agente_aprovacao SET executar_ate = clock_timestamp() - interval '1 second' "
        "WHERE id = %s",
        [proposal.pk],
    )


def insert(proposal: AgenteAprovacao, **values: Any) -> None:
    """The row as SQL alone would write it, past every check of the code."""
    given = {
        "kind": "consumida",
        "subject": proposal.solicitante,
        "subject_name": "x",
        "seen_hash": proposal.acao_hash,
        "policy_number": 1,
    }
    with tenant_scope(proposal.tenant_id):
        Consumption.objects.create(
            tenant_id=proposal.tenant_id, approval=proposal, **(given | values)
        )


def state_of(proposal: AgenteAprovacao) -> str:
    with tenant_scope(proposal.tenant_id):
        fresh = AgenteAprovacao.objects.get(pk=proposal.pk)
        return wording.state(fresh, None, uses.states([fresh]).get(fresh.pk))[1]


def test_the_agent_that_asked_gets_the_frozen_action_and_the_trail_says_who_approved(
    scene: Scene,
) -> None:
    proposal = agents.approved(scene)
    taken = agents.consume(scene, proposal)
    assert (taken.action, taken.hash) == (proposal.proposta, proposal.acao_hash)
    assert taken.until == proposal.executar_ate
    with tenant_scope(scene.tenant.pk):
        row = AgenteAcao.objects.get(acao="aprovacao.consumida")
    assert (row.agente, row.autorizacao) == ("agente-a", "humana")
    assert row.aprovado_por == scene.approver.signature


def test_the_second_call_gets_nothing(scene: Scene) -> None:
    proposal = agents.approved(scene)
    agents.consume(scene, proposal)
    with pytest.raises(AlreadyConsumedError):
        agents.consume(scene, proposal)


def test_another_agent_finds_nothing(scene: Scene) -> None:
    other = agents.an_agent(scene.tenant, scene.owner, "agente-b")
    with pytest.raises(NotFoundError):
        agents.consume(scene, agents.approved(scene), by=other)


def test_what_is_not_approved_is_not_consumed(scene: Scene) -> None:
    with pytest.raises(NotApprovedError):
        agents.consume(scene, agents.a_proposal(scene))


def test_an_issue_is_not_consumed_by_the_agent_that_asked_for_it(scene: Scene) -> None:
    proposal, _made = agents.ask(scene, command=actions.parse(factories.a_command()))
    factories.approve(proposal, scene.approver)
    with pytest.raises(NothingToConsumeError):
        agents.consume(scene, proposal)


def test_too_late_is_too_late_and_then_it_is_visible(scene: Scene, admin: Connection) -> None:
    proposal = agents.approved(scene)
    assert state_of(proposal) == "espera o agente"
    end_time(admin, proposal)
    with pytest.raises(TooLateError):
        agents.consume(scene, proposal)
    assert state_of(proposal) == "não consumida no prazo"
    with tenant_scope(scene.tenant.pk):
        assert [row.pk for row in uses.overdue()] == [proposal.pk]
        fresh = AgenteAprovacao.objects.get(pk=proposal.pk)
        assert proposals.can_be_asked_again(fresh)


def test_another_hash_and_an_altered_action_are_refused(scene: Scene, admin: Connection) -> None:
    proposal = agents.approved(scene)
    with pytest.raises(ContentChangedError):
        agents.consume(scene, proposal, seen="0" * 64)
    admin.execute(
        "UPDATE agente_aprovacao SET proposta = jsonb_set(proposta, '{fields,valor,value}', '1') "
        "WHERE id = %s",
        [proposal.pk],
    )
    with pytest.raises(ContentChangedError):
        agents.consume(scene, proposal)


@pytest.mark.parametrize(
    "change",
    [
        {"agents": ["agente-c"]},
        {"ceiling_centavos": 11_999},
        {"risk": "alto"},
        {"approver_role": "conformidade"},
    ],
)
def test_a_policy_that_gives_another_outcome_blocks_what_was_approved(
    scene: Scene, change: dict[str, Any]
) -> None:
    proposal = agents.approved(scene)
    agents.a_policy(scene.tenant, estorno__emitido=change)
    with pytest.raises(PolicyMovedError):
        agents.consume(scene, proposal)


def test_a_new_version_with_the_same_outcome_blocks_nothing(scene: Scene) -> None:
    proposal = agents.approved(scene)
    agents.a_policy(scene.tenant, estorno__emitido={"expires_minutes": 100})
    assert agents.consume(scene, proposal).hash == proposal.acao_hash


def test_while_it_is_held_nothing_is_consumed(scene: Scene) -> None:
    held = {"hold_seconds": {"baixo": 0, "medio": 60, "alto": 60}}
    agents.a_policy(scene.tenant, estorno__emitido=held)
    with pytest.raises(HeldError):
        agents.consume(scene, agents.approved(scene))


def test_whoever_approved_takes_it_back_before_the_agent_has_it(scene: Scene) -> None:
    proposal = agents.approved(scene)
    withdraw(scene, proposal)
    with pytest.raises(WithdrawnError):
        agents.consume(scene, proposal)
    assert state_of(proposal) == "execução retirada"


def test_what_the_agent_has_cannot_be_taken_back(scene: Scene) -> None:
    proposal = agents.approved(scene)
    agents.consume(scene, proposal)
    with pytest.raises(NothingToWithdrawError):
        withdraw(scene, proposal)


def test_of_several_at_the_same_instant_one_gets_it_fifty_times(scene: Scene) -> None:
    rounds = [agents.approved(scene) for _ in range(50)]
    for proposal in rounds:
        outcomes = at_once([partial(agents.consume, scene, proposal)] * 2)
        kinds = sorted(type(outcome).__name__ for outcome in outcomes)
        assert kinds == ["AlreadyConsumedError", "Taken"], outcomes
    with tenant_scope(scene.tenant.pk):
        assert Consumption.objects.count() == len(rounds)
        assert AgenteAcao.objects.filter(acao="aprovacao.consumida").count() == len(rounds)


def test_of_taking_and_taking_back_at_the_same_instant_one_wins(scene: Scene) -> None:
    for proposal in [agents.approved(scene) for _ in range(10)]:
        acts: list[Callable[[], object]] = [
            partial(agents.consume, scene, proposal),
            partial(withdraw, scene, proposal),
        ]
        outcomes = at_once(acts)
        refused = [o for o in outcomes if isinstance(o, Exception)]
        assert len(refused) == 1
        assert isinstance(refused[0], WithdrawnError | NothingToWithdrawError), refused


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"subject": "agente:agente-b"}, "only who asked consumes"),
        ({"seen_hash": "0" * 64}, "hash differs"),
        ({"kind": "retirada", "subject": "usuario:0"}, "only who approved takes it back"),
    ],
)
def test_the_database_refuses_what_the_code_would_refuse(
    scene: Scene, values: dict[str, str], words: str
) -> None:
    with pytest.raises(DatabaseError, match=words):
        insert(agents.approved(scene), **values)


def test_the_database_refuses_the_late_the_undecided_and_what_we_send_ourselves(
    scene: Scene, admin: Connection
) -> None:
    late = agents.approved(scene)
    end_time(admin, late)
    sent = factories.approve(factories.a_proposal(scene.tenant), scene.approver)
    for proposal, words in (
        (late, "too late"),
        (agents.a_proposal(scene), "not approved"),
        (sent, "not carried out by an agent"),
    ):
        with pytest.raises(DatabaseError, match=words):
            insert(proposal)


def test_an_effect_is_reported_once_with_the_agent_s_own_time_and_where_to_find_it(
    scene: Scene,
) -> None:
    proposal = agents.approved(scene)
    agents.consume(scene, proposal)
    at = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
    report(scene, proposal, reference="ESTORNO-77", at=at)
    with pytest.raises(AlreadyReportedError):
        report(scene, proposal, "erro")
    with tenant_scope(scene.tenant.pk):
        row = AgenteAcao.objects.exclude(resultado="pendente").get(acao=REFUND)
    assert (row.resultado, row.reversao_ref, row.informado_em) == ("ok", "ESTORNO-77", at)
    assert (row.agente, row.autorizacao) == ("agente-a", "humana")
    assert row.aprovado_por == scene.approver.signature
    assert state_of(proposal) == "feita"


def test_the_page_tells_who_consumed_it_and_what_was_reported_and_offers_no_way_back(
    scene: Scene,
) -> None:
    proposal = agents.approved(scene)
    reader, path = browsing.as_(scene.approver), f"/aprovacoes/{proposal.ref}/"
    assert f"{path}retirar/" in reader.read(path)
    agents.consume(scene, proposal)
    report(scene, proposal, reference="ESTORNO-77")
    page = reader.read(path)
    assert "Agente A consumiu a aprovação" in page
    assert "ESTORNO-77" in page
    assert f"{path}retirar/" not in page


def test_what_the_agent_reports_is_masked_before_it_is_kept(scene: Scene) -> None:
    proposal = agents.approved(scene)
    agents.consume(scene, proposal)
    row = report(scene, proposal, "erro", detail=f"cliente {factories.CPF} sem saldo")
    assert factories.CPF not in row.detail


@pytest.mark.parametrize("outcome", ["recusado", "erro", "desconhecido"])
def test_an_effect_that_failed_is_told_as_it_was(scene: Scene, outcome: str) -> None:
    proposal = agents.approved(scene)
    agents.consume(scene, proposal)
    report(scene, proposal, outcome, detail="saldo insuficiente")
    with tenant_scope(scene.tenant.pk):
        row = AgenteAcao.objects.exclude(resultado="pendente").get(acao=REFUND)
        fresh = AgenteAprovacao.objects.get(pk=proposal.pk)
        assert proposals.can_be_asked_again(fresh) == (outcome == "recusado")
    assert (row.resultado, row.erro) == (outcome, "saldo insuficiente")


def test_nothing_is_reported_of_what_was_not_consumed(scene: Scene) -> None:
    proposal = agents.approved(scene)
    with pytest.raises(NothingConsumedError):
        report(scene, proposal)
    withdraw(scene, proposal)
    with pytest.raises(NothingConsumedError):
        report(scene, proposal)


def test_what_a_rule_approved_is_consumed_and_reported_by_rule(scene: Scene) -> None:
    proposal = agents.a_proposal(scene, SORTED, classe="a")
    agents.consume(scene, proposal)
    report(scene, proposal)
    with tenant_scope(scene.tenant.pk):
        rows = AgenteAcao.objects.filter(
            correlacao_id=proposal.correlacao_id, autorizacao="regra", aprovado_por=None
        )
        assert {row.acao for row in rows} == {"aprovacao.concedida", "aprovacao.consumida", SORTED}
