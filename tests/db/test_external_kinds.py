"""Actions an agent carries out itself: typed, frozen and approved like any other, never sent by us."""

from __future__ import annotations

import unicodedata
import uuid
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError
from django.utils import timezone

from approvals import actions, canonical, rules
from approvals.agents.agent_errors import RunConflictError
from approvals.agents.external_command import ExternalCommand
from approvals.deciders.access_errors import AgentOwnerError
from approvals.errors import PolicyRefusedError
from approvals.inbox import wording
from approvals.models import AgenteAprovacao, Decision, Execution, State
from audit.models import AgenteAcao
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import agents_asking as agents
from tests.db.agents_asking import REFUND, SORTED, Scene
from tests.db.browsing import as_
from tests.db.deciding import insert_verdict, refuse
from tests.db.races import at_once

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def scene(committed: None) -> Scene:
    return agents.a_scene()


def refusal_of(scene: Scene, kind: str = REFUND, **fields: Any) -> str:
    with pytest.raises(PolicyRefusedError) as caught:
        agents.ask(scene, kind, **fields)
    return caught.value.code


def trail(proposal: AgenteAprovacao, action: str) -> list[AgenteAcao]:
    with tenant_scope(proposal.tenant_id):
        rows = AgenteAcao.objects.filter(correlacao_id=proposal.correlacao_id, acao=action)
        return list(rows.order_by("id"))


def test_the_frozen_action_names_its_executor_and_types_and_has_its_hash(scene: Scene) -> None:
    proposal = agents.a_proposal(scene, dia="2026-11-30", parcelas=3)
    assert proposal.proposta == {
        "schema": 1,
        "kind": REFUND,
        "executor": "agente",
        "authorization": "humana",
        "tenant": str(scene.tenant.pk),
        "requester": "agente:agente-a",
        "fields": {
            "dia": {"type": "data", "value": "2026-11-30"},
            "motivo": {"type": "escolha", "value": "dobro"},
            "parcelas": {"type": "inteiro", "value": 3},
            "pedido": {"type": "texto", "value": "P-1044"},
            "valor": {"type": "centavos", "value": 12_000},
        },
    }
    assert proposal.acao_hash == canonical.action_hash(proposal.proposta)


def test_the_row_says_which_agent_whose_model_and_instruction_and_what_a_handler_must_know(
    scene: Scene,
) -> None:
    proposal = agents.a_proposal(scene)
    assert (proposal.solicitante, proposal.agente) == ("agente:agente-a", "agente-a")
    assert proposal.agente_dono == scene.owner.subject
    assert (proposal.modelo, proposal.instrucao_hash) == ("modelo-x", "a" * 64)
    assert "tipo_externo" in proposal.recursos
    assert proposal.versao_esquema == 2


def test_its_first_trail_row_is_the_agent_s_and_holds_no_free_text(scene: Scene) -> None:
    (row,) = trail(agents.a_proposal(scene), REFUND)
    assert (row.agente, row.modelo, row.instrucao_hash) == ("agente-a", "modelo-x", "a" * 64)
    assert (row.resultado, row.autorizacao, row.reversivel) == ("pendente", "pendente", False)
    assert "P-1044" not in (row.saida_resumo or "")
    assert "120,00" in (row.saida_resumo or "")


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"conta": "1"}, "campo_desconhecido"),
        ({"pedido": ""}, "campo_ausente"),
        ({"pedido": "P" * 41}, "valor_nao_permitido"),
        ({"valor": "12000"}, "valor_nao_permitido"),
        ({"valor": -1}, "valor_nao_permitido"),
        ({"valor": 0}, "valor_nao_permitido"),
        ({"valor": 120.5}, "campo_ilegivel"),
        ({"valor": True}, "campo_ilegivel"),
        ({"valor": [12000]}, "campo_ilegivel"),
        ({"pedido": "P\x001044"}, "campo_ilegivel"),
        ({"motivo": "outro"}, "valor_nao_permitido"),
        ({"dia": "2026-02-30"}, "valor_nao_permitido"),
        ({"dia": "20261130"}, "valor_nao_permitido"),
        ({"valor": 100_001}, "acima_do_teto"),
    ],
)
def test_a_field_that_is_not_what_the_policy_asks_for_is_refused(
    scene: Scene, fields: dict[str, Any], code: str
) -> None:
    assert refusal_of(scene, **fields) == code


def test_a_kind_the_policy_does_not_have_is_refused(scene: Scene) -> None:
    assert refusal_of(scene, "agente.criado", classe="a") == "tipo_nao_permitido"


def test_an_agent_the_policy_does_not_name_is_refused(scene: Scene) -> None:
    other = agents.an_agent(scene.tenant, scene.owner, "agente-b")
    with pytest.raises(PolicyRefusedError) as caught:
        agents.ask(scene, by=other)
    assert caught.value.code == "agente_nao_permitido"


def test_an_agent_asks_for_no_more_than_its_owner_could(scene: Scene) -> None:
    agents.a_policy(scene.tenant, estorno__emitido={"requester_roles": ["admin"]})
    assert refusal_of(scene) == "dono_sem_papel"


def test_a_person_cannot_ask_for_what_only_agents_carry_out(scene: Scene) -> None:
    with tenant_scope(scene.tenant.pk), pytest.raises(PolicyRefusedError) as caught:
        rules.evaluate(
            policy=rules.in_force(),
            command=ExternalCommand(SORTED, (("classe", "a"),)),
            roles=scene.owner.roles,
            coverage=None,
        )
    assert caught.value.code == "agente_nao_permitido"


def test_low_coverage_raises_the_risk_and_none_refuses(scene: Scene) -> None:
    proposal, _made = agents.ask(scene, coverage="baixa")
    assert (proposal.risco, proposal.aprovacoes_exigidas) == ("alto", 2)
    with pytest.raises(PolicyRefusedError) as caught:
        agents.ask(scene, coverage="nenhuma")
    assert caught.value.code == "sem_base"


def test_an_approval_queues_nothing_for_our_worker(scene: Scene) -> None:
    proposal = agents.approved(scene)
    assert proposal.estado == State.APROVADA
    with tenant_scope(scene.tenant.pk):
        assert not Execution.objects.filter(approval=proposal).exists()


def test_the_database_refuses_an_execution_of_ours_for_it(scene: Scene) -> None:
    proposal = agents.approved(scene)
    with tenant_scope(scene.tenant.pk), pytest.raises(DatabaseError, match="an agent carries this"):
        Execution.objects.create(
            tenant_id=scene.tenant.pk, approval=proposal, marker="opk", versao_esquema=2,
            not_before=timezone.now(),
        )  # fmt: skip


def test_the_agent_s_owner_does_not_approve_for_it(scene: Scene) -> None:
    with pytest.raises(AgentOwnerError):
        factories.approve(agents.a_proposal(scene), scene.owner)


@pytest.mark.parametrize("verdict", ["aprovar", "recusar", "devolver"])
def test_the_database_refuses_the_owner_and_the_agent_itself(scene: Scene, verdict: str) -> None:
    proposal = agents.a_proposal(scene)
    with pytest.raises(DatabaseError, match="the owner of the agent does not decide"):
        insert_verdict(proposal, subject=scene.owner.subject, verdict=verdict)
    with pytest.raises(DatabaseError, match="an agent does not decide"):
        insert_verdict(proposal, subject="agente:agente-b", verdict=verdict)


def test_the_database_refuses_a_rule_where_the_policy_asks_for_a_person(scene: Scene) -> None:
    with pytest.raises(DatabaseError, match="no rule approves this"):
        insert_verdict(agents.a_proposal(scene), subject="regra", verdict="aprovar")


@pytest.mark.parametrize("subject", ["regra", f"permissao:{uuid.uuid4()}"])
def test_the_database_refuses_an_issue_approved_by_no_person(scene: Scene, subject: str) -> None:
    issue = factories.a_proposal(scene.tenant)
    with pytest.raises(DatabaseError, match="a person decides this"):
        insert_verdict(issue, subject=subject, verdict="aprovar")


def test_what_has_no_effect_outside_is_approved_by_rule_and_the_trail_says_so(scene: Scene) -> None:
    proposal = agents.a_proposal(scene, SORTED, classe="a")
    assert proposal.estado == State.APROVADA
    (row,) = trail(proposal, "aprovacao.concedida")
    assert (row.autorizacao, row.aprovado_por) == ("regra", None)


def test_the_same_request_twice_is_one_proposal_also_when_the_policy_has_moved_on(
    scene: Scene,
) -> None:
    run = uuid.uuid4()
    first, made = agents.ask(scene, run_id=run)
    agents.a_policy(scene.tenant, estorno__emitido={"agents": ["agente-c"]})
    again, made_again = agents.ask(scene, run_id=run)
    assert (made, made_again, again.pk) == (True, False, first.pk)


def test_another_content_in_the_same_run_is_a_conflict(scene: Scene) -> None:
    run = uuid.uuid4()
    agents.ask(scene, run_id=run)
    with pytest.raises(RunConflictError):
        agents.ask(scene, run_id=run, valor=12_001)
    with pytest.raises(RunConflictError):
        agents.ask(scene, run_id=run, by=agents.an_agent(scene.tenant, scene.owner, "agente-b"))


def test_after_a_refusal_a_new_run_makes_a_card_that_leads_to_the_refusal(scene: Scene) -> None:
    first = agents.a_proposal(scene)
    refuse(first, scene.approver)
    second, made = agents.ask(scene)
    assert made
    assert (second.anterior_id, second.acao_hash) == (first.pk, first.acao_hash)
    refuse(second, scene.approver)
    assert agents.ask(scene)[0].anterior_id == second.pk


def issue(title: str, *labels: str) -> actions.IssueCommand:
    return actions.parse(factories.a_command(title=title, labels=labels))


def test_an_agent_started_eight_times_at_once_makes_one_card(scene: Scene) -> None:
    title = "Reinício da fila: cobrança às três"
    commands = [
        issue(unicodedata.normalize(form, title), *labels)
        for form in ("NFC", "NFD")
        for labels in (("incidente", "runbook"), ("runbook", "incidente"))
    ]
    run = uuid.uuid4()
    outcomes = at_once([
        partial(agents.ask, scene, run_id=run, command=command) for command in commands * 2
    ])  # fmt: skip
    assert all(isinstance(outcome, tuple) for outcome in outcomes), outcomes
    assert sorted(made for _proposal, made in outcomes) == [False] * 7 + [True]  # type: ignore[misc]
    with tenant_scope(scene.tenant.pk):
        assert AgenteAprovacao.objects.count() == 1


def test_one_changed_label_in_the_same_run_is_a_conflict(scene: Scene) -> None:
    run = uuid.uuid4()
    agents.ask(scene, run_id=run, command=issue("Fila parada", "incidente"))
    with pytest.raises(RunConflictError):
        agents.ask(scene, run_id=run, command=issue("Fila parada", "runbook"))


def test_an_action_altered_in_the_table_is_decided_by_nobody(
    scene: Scene, admin: Connection
) -> None:
    proposal = agents.a_proposal(scene)
    admin.execute(
        "UPDATE agente_aprovacao SET proposta = jsonb_set(proposta, '{fields,valor,value}', '1') "
        "WHERE id = %s",
        [proposal.pk],
    )
    with pytest.raises(Exception, match="conteudo_mudou"):
        factories.approve(proposal, scene.approver)
    with tenant_scope(scene.tenant.pk):
        assert not Decision.objects.filter(approval=proposal).exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Agente de estornos", "Autorizar o agente de estornos: "),
        ("Coletor noturno", "Autorizar o agente Coletor noturno: "),
    ],
)
def test_an_agent_is_called_by_its_name_and_an_agent_once(
    scene: Scene, name: str, words: str
) -> None:
    named = replace(scene.agent, name=name)
    proposal, _made = agents.ask(scene, by=named)
    assert wording.sentence(proposal).startswith(words)


def test_its_page_says_sums_as_money_and_its_kind_in_words(scene: Scene) -> None:
    page = as_(scene.approver).read(f"/aprovacoes/{agents.a_proposal(scene).ref}/")
    assert "valor: R$ 120,00" in page
    assert "(centavos)" not in page
    assert "Estorno emitido" in page
